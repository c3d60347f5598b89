import { orglogHere, type Surroundings } from '../cli/in-process.ts';
import { typist } from '../cli/typist.ts';
import { type Block, commandsOf, wordsOf } from './entries.ts';

export interface Said {
  readonly line: string;
  readonly outcome: number | string;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Terminal {
  /** Of `orglog`. */
  readonly env: Readonly<Record<string, string>>;
  /** What stands for `<…>` in the runbook. */
  readonly fill?: Readonly<Record<string, string>>;
  /** User name and password, where they are asked for. */
  readonly credential?: readonly [username: string, password: string];
  /** What the person writes into a file that an editor opens. */
  readonly edited?: string;
  /** Told of each `--watch` look; a return of true ends it, as Ctrl-C does. */
  readonly onLook?: () => boolean;
  /** Leaves out all lines but those of `orglog`: on one machine there is nothing else. */
  readonly orglogOnly?: boolean;
  readonly aws?: (words: readonly string[], files: Map<string, string>) => Promise<string>;
  /** `npm run deploy`, with what stands behind `--`. */
  readonly deploy?: (flags: readonly string[]) => Promise<void>;
}

const NPM_DEPLOY = 'npm run deploy';

/** Runs a block's commands in their order, as a person at a terminal of 80 columns who answers each question with yes. */
export async function runBlock(block: Block, terminal: Terminal): Promise<Said[]> {
  const said: Said[] = [];
  const files = new Map<string, string>();
  for (const written of commandsOf(block)) {
    if (terminal.orglogOnly && !written.startsWith('orglog ')) continue;
    const line = written.replace(/<([^>]+)>/g, (all, name) => terminal.fill?.[name] ?? all);
    if (/<[^>]+>/.test(line)) throw new Error(`nothing stands for what is open in: ${line}`);
    said.push(await runLine(line, terminal, files));
  }
  return said;
}

async function runLine(line: string, terminal: Terminal, files: Map<string, string>): Promise<Said> {
  const fine = (stdout: string): Said => ({ line, outcome: 0, stdout, stderr: '' });
  const [, command = '', file] = /^(.*?)(?: > (\S+))?$/.exec(line) ?? [];
  const [program, ...words] = wordsOf(command);
  if (program === 'orglog') return { line, ...(await orglog(words, terminal)) };
  if (program === 'aws') {
    if (terminal.aws === undefined) throw new Error(`nothing here runs: ${line}`);
    const printed = await terminal.aws(words, files);
    if (file !== undefined) files.set(file, printed);
    return fine(file === undefined ? printed : '');
  }
  const edited = /^umask 077 && "\$\{EDITOR:-vi\}" (\S+)$/.exec(line)?.[1];
  if (edited !== undefined && terminal.edited !== undefined) {
    files.set(edited, terminal.edited);
    return fine('');
  }
  if (program === 'rm' && files.delete(words[0] ?? '')) return fine('');
  if (command.startsWith(NPM_DEPLOY) && terminal.deploy !== undefined) {
    await terminal.deploy(
      command
        .slice(NPM_DEPLOY.length)
        .split(' ')
        .filter((word) => /^--./.test(word)),
    );
    return fine('');
  }
  throw new Error(`nothing here runs: ${line}`);
}

async function orglog(words: readonly string[], terminal: Terminal) {
  const { env, credential, onLook } = terminal;
  const stop = new AbortController();
  const watching = words.includes('--watch');
  if (watching && onLook === undefined) throw new Error('nobody would end it');
  const keys = credential && typing(credential);
  const surroundings: Surroundings = {
    ...{ columns: 80, env: { ...env, NO_COLOR: '1' }, stop: stop.signal },
    ...(keys === undefined ? { input: 'y\n' } : { keys: keys.keys }),
    onPrinted(piece, stream) {
      keys?.onPrinted(piece, stream);
      if (watching && piece.includes('ORGANIZATION') && onLook?.() === true) stop.abort();
    },
  };
  return await orglogHere(words, surroundings);
}

function typing([username, password]: readonly [string, string]) {
  return typist([
    ['User name: ', `${username}\r`],
    ['Password (not shown): ', `${password}\r`],
    ['Go on? [y/N] ', 'y\n'],
  ]);
}
