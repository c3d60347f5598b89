import { afterAll, beforeEach } from 'vitest';
import { onLoopback, type Services, startServices } from '../aws/services.ts';

export { rejection } from '../contracts/support.ts';

/** The services for one test file, ended with it; counts and faults start afresh with each test. */
export async function awsSuite(): Promise<Services> {
  const services = await startServices();
  if (onLoopback) beforeEach(() => services.wire.reset());
  afterAll(() => services[Symbol.asyncDispose]());
  return services;
}
