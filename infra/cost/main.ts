import { writeFileSync } from 'node:fs';
import { COST_FILE, costDocument } from './document.ts';

writeFileSync(COST_FILE, costDocument());
