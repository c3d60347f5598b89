import type { DocumentMapper } from '../delivery/elastic-event.ts';
import { ecsDocument } from '../ecs.ts';
import { ecsIdentityDocument } from '../ecs-identity.ts';

/** An event as an ECS document, by the stream that it is of. */
export const ecsDocumentOfStream: DocumentMapper = (line, context) =>
  context.stream === 'identities' ? ecsIdentityDocument(line, context) : ecsDocument(line, context);
