import { z } from 'zod';

const content = z.object({
  /** Stack → output key → value. */
  stacks: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  /** Function → its environment. */
  functions: z.record(z.string(), z.record(z.string(), z.string())).optional(),
  /** Queue → what CloudWatch heard of the age of its oldest message, in seconds, at epoch ms. */
  queueAges: z
    .record(z.string(), z.array(z.object({ at: z.int(), seconds: z.number() }).strict()))
    .optional(),
  /** Role → what its policies allow. */
  roles: z
    .record(
      z.string(),
      z
        .object({
          arn: z.string(),
          allowed: z.array(
            z.object({ actions: z.array(z.string()), resources: z.array(z.string()) }).strict(),
          ),
          mayNotBeSimulated: z.boolean().default(false),
        })
        .strict(),
    )
    .optional(),
});

export type AccountContent = Readonly<z.input<typeof content>>;
type Role = NonNullable<z.output<typeof content>['roles']>[string];

/** What is deployed, as the services know it that only describe what others made. */
export class Account {
  readonly stacks = new Map<string, Readonly<Record<string, string>>>();
  readonly functions = new Map<string, Readonly<Record<string, string>>>();
  readonly roles = new Map<string, Role>();
  readonly queueAges = new Map<string, readonly { readonly at: number; readonly seconds: number }[]>();

  /** Adds to what is there, replacing what has the same name. */
  put(given: unknown): void {
    const { stacks = {}, functions = {}, queueAges = {}, roles = {} } = content.strict().parse(given);
    for (const [name, outputs] of Object.entries(stacks)) this.stacks.set(name, outputs);
    for (const [name, environment] of Object.entries(functions)) this.functions.set(name, environment);
    for (const [name, role] of Object.entries(roles)) this.roles.set(name, role);
    for (const [name, ages] of Object.entries(queueAges)) this.queueAges.set(name, ages);
  }
}
