import { afterAll, beforeEach } from 'vitest';
import { OrglogError } from '../../functions/core/errors.ts';
import { onLoopback, type Services, startServices } from '../aws/services.ts';

/** The services for one test file, ended with it; counts and faults start afresh with each test. */
export async function awsSuite(): Promise<Services> {
  const services = await startServices();
  if (onLoopback) beforeEach(() => services.wire.reset());
  afterAll(() => services[Symbol.asyncDispose]());
  return services;
}

/** The error that a call rejects with, which must be one of ours. */
export async function rejection(call: Promise<unknown>): Promise<OrglogError> {
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof OrglogError) return error;
  throw new Error(`expected an OrglogError, got ${String(error)}`, { cause: error });
}
