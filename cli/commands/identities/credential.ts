import { addLinkOptions, IDENTITY, linkFlags } from './flags.ts';
import { linkPlan } from './link-plan.ts';
import type { Operation } from './operation.ts';
import { linkedLines } from './show.ts';

const WHICH = '    --authority https://idp.institution.edu --uid ada';

export const credentialCreate: Operation<typeof linkFlags> = {
  name: 'create',
  summary: 'link an identity to a credential from elsewhere, before its first use',
  operand: IDENTITY,
  examples: ['orglog identities credential create 4f1c0a2e-… \\', WHICH],
  changes: true,
  options: addLinkOptions,
  flags: () => linkFlags,
  async run(work, link, serviceUid) {
    const { api, output, signal } = work;
    await work.confirm((canLook) =>
      linkPlan(work, canLook, { does: 'links a remote credential to an identity', serviceUid, link }),
    );
    const linked = await api.createRemoteCredential(serviceUid, link, signal);
    await output.result(linked, (space) => linkedLines(linked, space));
    if (!output.json) output.note('created');
  },
};

export const credentialDelete: Operation<typeof linkFlags> = {
  name: 'delete',
  summary: 'delete a remote credential of an identity',
  operand: IDENTITY,
  examples: ['orglog identities credential delete 4f1c0a2e-… \\', WHICH],
  changes: true,
  options: addLinkOptions,
  flags: () => linkFlags,
  async run(work, link, serviceUid) {
    const { api, output, signal } = work;
    await work.confirm((canLook) =>
      linkPlan(work, canLook, {
        does: 'deletes a remote credential of an identity',
        serviceUid,
        link,
        facts: (now) => (now?.credentialLastUsed ? [['last used', now.credentialLastUsed]] : []),
      }),
    );
    await api.deleteRemoteCredential(serviceUid, link, signal);
    if (output.json) await output.document({ serviceUid, deleted: link });
    else output.note('deleted');
  },
};
