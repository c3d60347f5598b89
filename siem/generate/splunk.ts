import type { GeneratedFile } from './file.ts';
import { feedLookup } from './splunk/feed-lookup.ts';
import { lookup } from './splunk/lookup.ts';
import { props } from './splunk/props.ts';

const ADD_ON = 'splunk/TA-orglog';

/** Splunk's add-on: the vocabularies as lookups, and the settings that map an event to CIM. */
export function splunkFiles(): GeneratedFile[] {
  return [
    { path: `${ADD_ON}/default/props.conf`, content: props() },
    { path: `${ADD_ON}/lookups/orglog_vocabulary.csv`, content: lookup() },
    { path: `${ADD_ON}/lookups/orglog_feed.csv`, content: feedLookup() },
  ];
}
