#!/usr/bin/env node
import { orglog } from './program.ts';
import { processWorld } from './world.ts';

/*
 * The operator's command. Each subcommand is one file in commands/, or one folder. Exit codes: exit-codes.ts.
 */

process.exitCode = await orglog(processWorld());
