import { parseSettings } from '../../infra/settings/load.ts';
import type { Settings } from '../../infra/settings/schema.ts';

type Json = Record<string, unknown>;

/** The text of a small, faultless file with these members replaced. */
export function settingsFile(members: Json = {}): Json {
  return {
    provider: { baseUrl: 'https://api.provider.example' },
    organizations: [organization('institution')],
    alarms: { email: 'security@institution.edu' },
    ...members,
  };
}

export function organization(id: string, members: Json = {}): Json {
  return { id, orgUrl: `https://${id}.edu/`, ...members };
}

/** One whose identity records are followed: those of `prod`, unless otherwise said. */
export function followed(id: string, identities: Json = {}, members: Json = {}): Json {
  return organization(id, { identities: { environments: ['prod'], ...identities }, ...members });
}

export function destination(id: string, members: Json = {}): Json {
  return { id, kind: 'splunk', ...members };
}

/** One that orglog sends to. */
export function pushDestination(id: string, kind: 'splunk' | 'elastic' = 'splunk', members: Json = {}): Json {
  return destination(id, {
    kind,
    delivery: 'push',
    push: { url: `https://${id}.institution.edu:8088`, ...members },
  });
}

export function settings(members: Json = {}): Settings {
  return parseSettings(JSON.stringify(settingsFile(members)), 'orglog.config.json');
}

/** `org-0001`, …: so many organizations, 40 to a stack. */
export function manyOrganizations(count: number): Json[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `org-${String(index + 1).padStart(4, '0')}`;
    return organization(id, { stack: 1 + Math.floor(index / 40) });
  });
}
