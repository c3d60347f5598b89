import { stopSignals } from '../../cli/stop-signals.ts';

// Takes note of the wish to stop, and never gets round to it.
const { signal } = stopSignals();
signal.addEventListener('abort', () => process.stdout.write('asked\n'));
setInterval(() => {}, 60_000);
process.stdout.write('ready\n');
