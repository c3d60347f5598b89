import type { Service } from './daemon.ts';
import { pythonPackages } from './packages.ts';

/** Splunk's own judge of apps: no service, but one that can be had or not like them. */
export const splunkAppInspect: Service = {
  name: 'splunk-appinspect',
  version: '4.3.1',
  async up() {
    const folder = await pythonPackages('splunk-appinspect');
    return { url: '', env: { ORGLOG_TEST_APPINSPECT: folder }, down: async () => {} };
  },
};
