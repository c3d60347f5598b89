import { z } from 'zod';
import type { CollectionInput } from '../../../functions/core/identities/identities-api.ts';
import { jsonFile } from '../../json-input.ts';
import type { World } from '../../world.ts';
import { addAttributeOptions, addLinkOptions, attributes, IDENTITY, linkFlags } from './flags.ts';
import { attributeMap } from './input.ts';
import { linkPlan } from './link-plan.ts';
import type { Operation } from './operation.ts';
import { attributeFacts, linkedLines } from './show.ts';

const WHICH = '    --authority https://hr.institution.edu --uid 4711';

const writeFlags = (world: World) => ({
  ...linkFlags,
  attribute: attributes.optional(),
  attributes: jsonFile(attributeMap, world).optional(),
});

const modifyFlags = (world: World) => ({ ...writeFlags(world), overwrite: z.boolean().default(false) });

type WriteFlags = z.output<z.ZodObject<ReturnType<typeof writeFlags>>>;

export const collectionCreate: Operation<ReturnType<typeof writeFlags>> = {
  name: 'create',
  summary: 'link a new attribute collection to an identity',
  operand: IDENTITY,
  examples: ['orglog identities collection create 4f1c0a2e-… \\', `${WHICH} --attribute dept=Art`],
  changes: true,
  options(command) {
    addLinkOptions(command);
    addAttributeOptions(command);
  },
  flags: writeFlags,
  faults: attributeFaults,
  async run(work, flags, serviceUid) {
    const { api, output, signal } = work;
    const input = inputOf(flags);
    await work.confirm((canLook) =>
      linkPlan(work, canLook, {
        does: 'links a new attribute collection to an identity',
        serviceUid,
        link: input,
        facts: () => attributeFacts(input.attributes),
      }),
    );
    const linked = await api.createCollection(serviceUid, input, signal);
    await output.result(linked, (space) => linkedLines(linked, space));
    if (!output.json) output.note('created');
  },
};

export const collectionModify: Operation<ReturnType<typeof modifyFlags>> = {
  name: 'modify',
  summary: 'change the attributes of a collection',
  about:
    'Attributes are merged into those that are there; with --overwrite they replace\n' +
    'all of them, and those not given are gone.',
  operand: IDENTITY,
  examples: ['orglog identities collection modify 4f1c0a2e-… \\', `${WHICH} --attribute dept=Art`],
  changes: true,
  options(command) {
    addLinkOptions(command);
    addAttributeOptions(command);
    command.option('--overwrite', 'replace all attributes');
  },
  flags: modifyFlags,
  faults: (raw) => [
    ...attributeFaults(raw),
    ...(raw.attribute === undefined && raw.attributes === undefined && raw.overwrite === undefined
      ? ['--attribute: missing; expected at least one (or --attributes, or --overwrite to remove all)']
      : []),
  ],
  async run(work, flags, serviceUid) {
    const { api, output, signal } = work;
    const { overwrite } = flags;
    const input = inputOf(flags);
    const given = input.attributes ?? {};
    await work.confirm((canLook) =>
      linkPlan(work, canLook, {
        does: overwrite ? 'replaces all attributes of a collection' : 'merges attributes into a collection',
        serviceUid,
        link: input,
        facts: (now) => [
          ...(now === undefined ? [] : [['now', ''] as const, ...attributeFacts(now.attributes, '  ')]),
          [overwrite ? 'then' : 'merged with', Object.keys(given).length === 0 ? 'no attributes' : ''],
          ...attributeFacts(given, '  '),
        ],
      }),
    );
    const linked = await api.modifyCollection(serviceUid, { ...input, attributes: given, overwrite }, signal);
    await output.result(linked, (space) => linkedLines(linked, space));
    if (!output.json) output.note('modified');
  },
};

export const collectionDelete: Operation<typeof linkFlags> = {
  name: 'delete',
  summary: 'delete an attribute collection of an identity',
  operand: IDENTITY,
  examples: ['orglog identities collection delete 4f1c0a2e-… \\', WHICH],
  changes: true,
  options: addLinkOptions,
  flags: () => linkFlags,
  async run(work, link, serviceUid) {
    const { api, output, signal } = work;
    await work.confirm((canLook) =>
      linkPlan(work, canLook, {
        does: 'deletes an attribute collection of an identity',
        serviceUid,
        link,
        facts: (now) => attributeFacts(now?.attributes),
      }),
    );
    await api.deleteCollection(serviceUid, link, signal);
    if (output.json) await output.document({ serviceUid, deleted: link });
    else output.note('deleted');
  },
};

function attributeFaults(raw: Readonly<Record<string, unknown>>): string[] {
  return raw.attribute !== undefined && raw.attributes !== undefined
    ? ['--attributes: expected without --attribute']
    : [];
}

function inputOf({ authority, uid, attribute, attributes }: WriteFlags): CollectionInput {
  const given = attribute ?? attributes;
  return { authority, uid, ...(given !== undefined && { attributes: given }) };
}
