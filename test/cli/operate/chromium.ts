import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine; `undefined` where there is none. */
export const chromium = PLACES.find((path) => existsSync(path));

interface Sight {
  /** Errors and warnings on the console, and uncaught exceptions. */
  readonly complaints: readonly string[];
  /** What was asked of the network, the page itself left out. */
  readonly requests: readonly string[];
  /** What an expression yields in the page, as JSON. */
  evaluate(expression: string): Promise<unknown>;
}

interface View {
  readonly width: number;
  readonly colours: 'light' | 'dark';
}

export interface Browser extends AsyncDisposable {
  /** Opens a page with its own scripts switched off, until it is loaded. */
  open(url: string, view: View): Promise<Sight>;
}

const message = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  sessionId: z.string().optional(),
  params: z.record(z.string(), z.unknown()).default({}),
  result: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ message: z.string() }).optional(),
});

type Message = z.output<typeof message>;

/** Headless, spoken to by the DevTools protocol. */
export async function startChromium(path: string): Promise<Browser> {
  const profile = await mkdtemp(join(tmpdir(), 'orglog-chromium-'));
  const child = spawn(
    path,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const socket = new WebSocket(await addressOf(child));
  await once(socket, 'open');
  const told: ((said: Message) => void)[] = [];
  socket.addEventListener('message', ({ data }) => {
    const said = message.parse(JSON.parse(String(data)));
    for (const listener of told) listener(said);
  });
  let calls = 0;
  const heard = (matches: (said: Message) => boolean) =>
    new Promise<Message>((resolve) => {
      told.push((said) => matches(said) && resolve(said));
    });
  const call = async (method: string, params: object = {}, sessionId?: string) => {
    calls += 1;
    const id = calls;
    const answer = heard((said) => said.id === id);
    socket.send(JSON.stringify({ id, method, params, ...(sessionId !== undefined && { sessionId }) }));
    const { result = {}, error } = await answer;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };

  return {
    async open(url, { width, colours }) {
      const { targetId } = await call('Target.createTarget', { url: 'about:blank' });
      const attached = await call('Target.attachToTarget', { targetId, flatten: true });
      const session = String(attached.sessionId);
      const complaints: string[] = [];
      const requests: string[] = [];
      told.push(({ sessionId, method, params }) => {
        if (sessionId !== session) return;
        if (COMPLAINTS.includes(method ?? '')) complaints.push(JSON.stringify(params));
        if (method === 'Network.requestWillBeSent') requests.push(String(Object(params.request).url));
      });
      for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await call(`${domain}.enable`, {}, session);
      const metrics = { width, height: 900, deviceScaleFactor: 1, mobile: width < 600 };
      await call('Emulation.setDeviceMetricsOverride', metrics, session);
      const features = [{ name: 'prefers-color-scheme', value: colours }];
      await call('Emulation.setEmulatedMedia', { features }, session);
      await call('Emulation.setScriptExecutionDisabled', { value: true }, session);
      const loaded = heard((said) => said.sessionId === session && said.method === 'Page.loadEventFired');
      await call('Page.navigate', { url }, session);
      await loaded;
      return {
        complaints,
        get requests() {
          return requests.filter((asked) => asked !== url);
        },
        async evaluate(expression) {
          const json = `JSON.stringify(${expression})`;
          const { result } = await call(
            'Runtime.evaluate',
            { expression: json, returnByValue: true },
            session,
          );
          return JSON.parse(String(Object(result).value));
        },
      };
    },
    async [Symbol.asyncDispose]() {
      socket.close();
      child.kill('SIGKILL');
      await once(child, 'exit');
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const COMPLAINTS = ['Log.entryAdded', 'Runtime.exceptionThrown', 'Runtime.consoleAPICalled'];

async function addressOf(child: ChildProcess): Promise<string> {
  if (child.stderr === null) throw new Error('it has no standard error');
  for await (const line of createInterface({ input: child.stderr })) {
    const address = /^DevTools listening on (ws:\S+)$/.exec(line)?.[1];
    if (address === undefined) continue;
    child.stderr.resume();
    return address;
  }
  throw new Error('it ended before it listened');
}
