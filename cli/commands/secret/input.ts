import { text as textOf } from 'node:stream/consumers';
import type { Credential } from '../../../functions/core/ports.ts';
import { canAsk } from '../../confirm.ts';
import { credentialVariables } from '../../credential-flags.ts';
import { Keyboard } from '../../keyboard.ts';
import type { World } from '../../world.ts';

export interface CredentialOrder {
  /** Not asked for, then. */
  readonly username: string | undefined;
  /** From a pipe: two lines, or the password alone where the user name is given. */
  readonly stdin: boolean;
}

/** What is wrong with where the credential is to come from. */
export function inputFaults({ stdin }: { readonly stdin?: unknown }, world: World): string[] {
  if (stdin === true) {
    return world.input.isTTY === true ? ['--stdin: expected a pipe on standard input, not a terminal'] : [];
  }
  return canAsk(world) ? [] : ['--stdin: missing; expected where there is no terminal to ask on'];
}

/** Asks for both; what is typed as password is not shown. @throws EndedEarly at Ctrl-C */
export async function credentialFrom(
  order: CredentialOrder,
  world: World,
  signal: AbortSignal,
): Promise<{ readonly credential: Credential; readonly faults: readonly string[] }> {
  const credential = order.stdin ? await piped(order, world) : await typed(order, world, signal);
  const { username, password } = credential;
  const checked = credentialVariables('its interface').safeParse({
    ORGLOG_USERNAME: username,
    ORGLOG_PASSWORD: password,
  });
  // The messages say what is expected, and no value.
  const faults = (checked.error?.issues ?? []).map(
    ({ path, message }) => `${path[0] === 'ORGLOG_USERNAME' ? 'user name' : 'password'}: ${message}`,
  );
  return { credential, faults };
}

async function typed({ username }: CredentialOrder, world: World, signal: AbortSignal): Promise<Credential> {
  using keyboard = new Keyboard(world, signal);
  return {
    username: username ?? (await keyboard.ask('User name: ', { hidden: false })),
    password: await keyboard.ask('Password (not shown): ', { hidden: true }),
  };
}

async function piped({ username }: CredentialOrder, { input }: World): Promise<Credential> {
  const lines = (await textOf(input)).split(/\r?\n/);
  const name = username ?? lines.shift() ?? '';
  // A password has no line's end; a second line is told as a fault, as it holds one.
  const password = lines.join('\n').replace(/\n$/, '');
  return { username: name, password };
}
