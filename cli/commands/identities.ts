import type { Command } from 'commander';
import type { World } from '../world.ts';
import { collectionCreate, collectionDelete, collectionModify } from './identities/collection.ts';
import { create } from './identities/create.ts';
import { credentialCreate, credentialDelete } from './identities/credential.ts';
import { fetch } from './identities/fetch.ts';
import { hostedCreate } from './identities/hosted.ts';
import { list } from './identities/list.ts';
import { modify } from './identities/modify.ts';
import { addOperation } from './identities/operation.ts';
import { permissions } from './identities/permissions.ts';
import { search } from './identities/search.ts';

const ABOUT = `
The credential comes from ORGLOG_USERNAME and ORGLOG_PASSWORD, or with --secret
from AWS Secrets Manager; the provider's address from --base-url or
ORGLOG_BASE_URL. What changes something shows first what it will do, and asks.`;

/** `orglog identities`: the provider's identity records, an operation each. */
export function identitiesCommand(program: Command, world: World): void {
  const identities = group(program, 'identities', "read and change the provider's identity records");
  identities.addHelpText('after', ABOUT);
  addOperation(identities, world, permissions);
  addOperation(identities, world, list);
  addOperation(identities, world, search);
  addOperation(identities, world, fetch);
  addOperation(identities, world, create);
  addOperation(identities, world, modify);
  const collection = group(identities, 'collection', 'attribute collections of an identity');
  addOperation(collection, world, collectionCreate);
  addOperation(collection, world, collectionModify);
  addOperation(collection, world, collectionDelete);
  const credential = group(identities, 'credential', 'remote credentials of an identity');
  addOperation(credential, world, credentialCreate);
  addOperation(credential, world, credentialDelete);
  const hosted = group(identities, 'hosted', 'hosted username-and-password credentials');
  addOperation(hosted, world, hostedCreate);
}

function group(parent: Command, name: string, summary: string): Command {
  const description = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  return parent.command(name).summary(summary).description(description).helpCommand(false);
}
