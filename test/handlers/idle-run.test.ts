import { expect, test } from 'vitest';
import { countIdleRuns } from '../../bench/idle-run.ts';
import { onLoopback } from '../aws/services.ts';

test.runIf(onLoopback)('an idle run is one GET and two DynamoDB writes, nothing else', async () => {
  const { warm, cold } = await countIdleRuns();
  expect(warm).toEqual({ provider: 1, aws: { 'dynamodb.UpdateItem': 2 } });
  // A container's first run reads the secret once.
  expect(cold).toEqual({
    provider: 1,
    aws: { 'dynamodb.UpdateItem': 2, 'secretsmanager.GetSecretValue': 1 },
  });
});
