import { expect, test } from 'vitest';
import { nearestOf } from '../../../functions/core/operate/check-nearest.ts';

const PERMITTED = ['https://institution.edu/', 'https://college.edu', 'http://old.institution.edu/shib/'];

test.each([
  ['https://institution.edu', PERMITTED[0], 'the slash at its end'],
  ['https://institution.edu//', PERMITTED[0], 'the slash at its end'],
  ['http://institution.edu/', PERMITTED[0], 'its scheme'],
  ['institution.edu', PERMITTED[0], 'its scheme and the slash at its end'],
  ['HTTPS://institution.edu', PERMITTED[0], 'the slash at its end'],
  ['https://Institution.edu/', PERMITTED[0], 'letter case'],
  ['https://college.edu/', PERMITTED[1], 'the slash at its end'],
  ['https://old.institution.edu/Shib', PERMITTED[2], 'its scheme and the slash at its end and letter case'],
  ['https://institutoin.edu/', PERMITTED[0], 'its spelling'],
  ['https://colege.edu', PERMITTED[1], 'its spelling'],
])('%s was meant to be %s: %s', (wanted, name, difference) => {
  expect(nearestOf(wanted, PERMITTED)).toEqual({ name, difference });
});

test('the closest counts', () => {
  expect(nearestOf('https://a.edu', ['http://a.edu/', 'https://a.edu/'])?.name).toBe('https://a.edu/');
  expect(nearestOf('https://abcd.edu', ['https://abxy.edu', 'https://abcx.edu'])?.name).toBe(
    'https://abcx.edu',
  );
});

test.each(['https://university.edu/', '', 'https://institution.edu/another/path'])(
  'nothing is near %j',
  (wanted) => {
    expect(nearestOf(wanted, PERMITTED)).toBeUndefined();
    expect(nearestOf(wanted, [])).toBeUndefined();
  },
);
