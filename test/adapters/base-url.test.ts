import { expect, test } from 'vitest';
import { parseBaseUrl } from '../../functions/adapters/base-url.ts';
import { OrglogError } from '../../functions/core/errors.ts';

test.each([
  ['https://api.institution.edu', 'https://api.institution.edu/'],
  ['https://api.institution.edu:8443/gateway//', 'https://api.institution.edu:8443/gateway'],
  ['HTTPS://API.Institution.EDU/', 'https://api.institution.edu/'],
  ['http://localhost:8080', 'http://localhost:8080/'],
  ['http://127.0.0.1:1', 'http://127.0.0.1:1/'],
  ['http://127.9.8.7', 'http://127.9.8.7/'],
  ['http://127.1', 'http://127.0.0.1/'],
  ['http://[::1]:8080', 'http://[::1]:8080/'],
])('%s is accepted', (text, parsed) => {
  expect(parseBaseUrl(text).href).toBe(parsed);
});

test.each([
  ['http://api.institution.edu', 'not encrypted'],
  ['http://localhost.institution.edu', 'not encrypted'],
  ['http://127.0.0.1.institution.edu', 'not encrypted'],
  ['http://institution.edu/127.0.0.1', 'not encrypted'],
  ['http://128.0.0.1', 'not encrypted'],
  ['http://0.0.0.0', 'not encrypted'],
  ['http://[::2]', 'not encrypted'],
  ['http://localhost@institution.edu', 'credentials'],
  ['https://user:hunter2@institution.edu', 'credentials'],
  ['https://institution.edu/?key=hunter2', 'query or a hash'],
  ['https://institution.edu/#hunter2', 'query or a hash'],
  ['ftp://institution.edu', 'scheme is ftp:'],
  ['localhost:8080', 'scheme is localhost:'],
  ['institution.edu', 'not a URL'],
  ['', 'not a URL'],
  ['https://user:hunter2@[', 'not a URL'],
])('%s is refused', (text, why) => {
  const refusal = (() => {
    try {
      return parseBaseUrl(text);
    } catch (error) {
      return error;
    }
  })();
  expect(refusal).toBeInstanceOf(OrglogError);
  expect(refusal).toMatchObject({ code: 'configuration', message: expect.stringContaining(why) });
  expect(String(refusal)).not.toContain('hunter2');
});
