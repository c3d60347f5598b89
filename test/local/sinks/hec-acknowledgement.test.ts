import { describe, expect, it } from 'vitest';
import { type HecOptions, startSplunkHec } from '../../../local/sinks/splunk-hec.ts';
import { CHANNEL, post, TOKEN } from './hec-client.ts';

const start = (options: Partial<HecOptions> = {}) =>
  startSplunkHec({ tokens: [{ token: TOKEN }], ...options });

describe('HEC acknowledgement', () => {
  const acknowledges = [{ token: TOKEN, acknowledges: true }];
  const channel = { headers: { 'x-splunk-request-channel': CHANNEL } };
  const ackPath = `/services/collector/ack?channel=${CHANNEL}`;

  it('numbers a channel’s requests and says once that each is indexed', async () => {
    await using hec = await start({ tokens: acknowledges, indexed: ({ polls }) => polls > 0 });
    expect(await post(hec, '{"event":"a"}', channel)).toMatchObject({
      status: 200,
      body: { code: 0, ackId: 0 },
    });
    const byQuery = { path: `/services/collector/event?channel=${CHANNEL}` };
    expect(await post(hec, '{"event":"b"}', byQuery)).toMatchObject({ status: 200, body: { ackId: 1 } });
    const ask = () => post(hec, '{"acks":[0,1,7]}', { path: ackPath });
    expect(await ask()).toStrictEqual({ status: 200, body: { acks: { 0: false, 1: false, 7: false } } });
    expect(await ask()).toStrictEqual({ status: 200, body: { acks: { 0: true, 1: true, 7: false } } });
    expect(await ask()).toStrictEqual({ status: 200, body: { acks: { 0: false, 1: false, 7: false } } });
  });

  it('never comes for events that were lost after the 200', async () => {
    await using hec = await start({ tokens: acknowledges });
    hec.faults.add({ kind: 'lose' });
    expect(await post(hec, '{"event":"a"}', channel)).toMatchObject({ status: 200, body: { ackId: 0 } });
    expect(await post(hec, '{"acks":[0]}', { path: ackPath })).toMatchObject({
      body: { acks: { 0: false } },
    });
    expect(hec.events).toStrictEqual([]);
  });

  it('needs a channel, a list of numbers, and a token that has it', async () => {
    await using hec = await start({ tokens: acknowledges });
    const path = '/services/collector/ack';
    expect(await post(hec, '{"event":"a"}')).toMatchObject({ status: 400, body: { code: 10 } });
    expect(await post(hec, '{"acks":[0]}', { path })).toMatchObject({ status: 400, body: { code: 10 } });
    expect(await post(hec, '{"acks":[0]}', { path: `${path}?channel=x` })).toMatchObject({
      body: { code: 11 },
    });
    expect(await post(hec, '{"acks":["0"]}', { path: ackPath })).toMatchObject({
      status: 400,
      body: { code: 6 },
    });
    await using plain = await start();
    expect(await post(plain, '{"acks":[0]}', { path: ackPath })).toMatchObject({
      status: 400,
      body: { code: 14 },
    });
    expect(hec.events).toStrictEqual([]);
  });
});
