import { Readable, Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { orglog } from '../../cli/program.ts';

function failing(code: string): Writable {
  return new Writable({
    write: (_piece, _encoding, done) => done(Object.assign(new Error(code), { code })),
  });
}

async function helpTo(out: Writable, err?: Writable) {
  let told = '';
  const listening = new Writable({
    write(piece, _encoding, done) {
      told += piece;
      done();
    },
  });
  const world = {
    ...{ args: ['--help'], env: {}, out, err: err ?? listening, input: Readable.from([]) },
    stopSignals: () => ({ signal: new AbortController().signal, [Symbol.dispose]() {} }),
  };
  return { outcome: await orglog(world), told };
}

test('a full disk behind standard output is trouble, and said', async () => {
  const { outcome, told } = await helpTo(failing('ENOSPC'));
  expect(outcome).toBe(1);
  expect(told).toBe(
    'orglog: standard output cannot be written (ENOSPC): what it has is not whole. Check the disk\n',
  );
});

test('a pipe that was closed is no trouble, on either side', async () => {
  expect(await helpTo(failing('EPIPE'))).toStrictEqual({ outcome: 0, told: '' });
  expect(await helpTo(failing('EPIPE'), failing('EPIPE'))).toMatchObject({ outcome: 0 });
});
