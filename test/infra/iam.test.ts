import { describe, expect, it } from 'vitest';
import { matches } from './iam.ts';

describe('the judge of policies', () => {
  it('reads patterns as IAM does', () => {
    expect(matches('secret:inst-??????', 'secret:inst-AbCdEf')).toBe(true);
    expect(matches('secret:inst-??????', 'secret:inst-abcdef-AbCdEf')).toBe(false);
    expect(matches('*/a[*', '2026/01/02/a[$LATEST]0f')).toBe(true);
    expect(matches('*/a[*', '2026/01/02/ab[$LATEST]0f')).toBe(false);
    expect(matches('a.b', 'axb')).toBe(false);
  });
});
