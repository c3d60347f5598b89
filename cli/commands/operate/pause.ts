import { setPaused } from '../../../functions/core/operate/pause.ts';
import { streamsOf } from '../../../functions/core/operate/status.ts';
import type { RowKey } from '../../../functions/core/ports.ts';
import { factLines } from '../../table.ts';
import type { OperatorCommand, Work } from './command.ts';
import { addOrg, org } from './flags.ts';
import { cursorOf, organizationNamed } from './named.ts';

const flags = { org };

export const pause: OperatorCommand<typeof flags> = {
  name: 'pause',
  summary: 'stop collecting one organization',
  about:
    'A run under way ends first. What is queued is delivered all the same; the\n' +
    'provider keeps its log for 90 days.',
  examples: ['orglog pause --org institution', 'orglog pause --org institution --data-dir .local --yes'],
  changes: true,
  options: (command) => addOrg(command, 'which organization'),
  flags,
  run: (work, { org: id }) => change(work, id, true),
};

export const resume: OperatorCommand<typeof flags> = {
  name: 'resume',
  summary: 'go on collecting a paused organization',
  about: 'The next run reads on from where the last one stopped.',
  examples: ['orglog resume --org institution', 'orglog resume --org institution --yes --json'],
  changes: true,
  options: (command) => addOrg(command, 'which organization'),
  flags,
  run: (work, { org: id }) => change(work, id, false),
};

async function change(work: Work, id: string, paused: boolean): Promise<void> {
  const { deployment, output, signal } = work;
  const organization = organizationNamed(deployment, id);
  // Where it never ran there is nothing to stop: said before anything is asked.
  await cursorOf(deployment, organization, signal);
  const wanted = streamsOf(organization);
  const rows = (await deployment.cursors.list(signal)).filter(
    ({ org: owner, stream }) => owner === id && wanted.includes(stream),
  );
  const others = rows.filter((row) => row.paused !== paused);
  if (others.length > 0) {
    await work.confirm({
      title: `This ${paused ? 'stops' : 'resumes'} the collecting of ${id} (${deployment.title}):`,
      lines: (space) => factLines(factsOf(others, paused), space),
    });
    for (const { org: owner, stream } of others)
      await setPaused(deployment.cursors, { org: owner, stream }, paused, signal);
  }
  const changed = others.map(({ stream }) => stream);
  if (output.json) await output.document({ org: id, paused, changed });
  else if (changed.length === 0) output.note(`${id} ${paused ? 'is paused already' : 'is not paused'}`);
  else output.note(`${id} ${paused ? 'is paused' : 'goes on with its next run'}`);
}

function factsOf(rows: readonly RowKey[], paused: boolean): [string, string | string[]][] {
  const then = paused
    ? 'nothing is collected until somebody resumes it; the provider keeps its log for 90 days'
    : 'the next run reads on from where the last one stopped';
  return [
    ['cursors', rows.map(({ stream }) => stream)],
    ['then', then],
  ];
}
