import type { Service } from './daemon.ts';
import { goProgram } from './packages.ts';

const version = 'v0.115.0';

/** Elastic's own judge of packages. */
export const elasticPackage: Service = {
  name: 'elastic-package',
  version,
  async up() {
    const program = await goProgram('github.com/elastic/elastic-package', version);
    return { url: '', env: { ORGLOG_TEST_ELASTIC_PACKAGE: program }, down: async () => {} };
  },
};
