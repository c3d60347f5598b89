import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Fault } from './faults.ts';
import { isPushed } from './push.ts';
import type { DestinationSettings, Settings } from './schema.ts';

/** Beside everything else that a function's environment of 4 KB holds; one RSA certificate of 4096 bits is about 2,000. */
export const MAX_CA_CHARACTERS = 2200;

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Settings in which the certificates stand in place of the file that holds them; or what is wrong with that file. */
export function withPrivateCas(
  settings: Settings,
  folder: string,
): { readonly settings: Settings; readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const read = (destination: DestinationSettings, index: number): DestinationSettings => {
    if (!isPushed(destination) || destination.push.privateCa === undefined) return destination;
    const found = certificatesIn(resolve(folder, destination.push.privateCa));
    if (typeof found === 'string') {
      return { ...destination, push: { ...destination.push, privateCa: found } };
    }
    faults.push({ path: ['destinations', index, 'push', 'privateCa'], expected: found.expected });
    return destination;
  };
  return { settings: { ...settings, destinations: settings.destinations.map(read) }, faults };
}

/** The certificates without the text around them. */
function certificatesIn(file: string): string | { readonly expected: string } {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return { expected: `expected a file that can be read; ${file} cannot` };
  }
  // Nothing but certificates leaves the file: somebody's private key may be in it, too.
  const certificates = text.match(CERTIFICATE) ?? [];
  if (certificates.length === 0) return { expected: 'expected a file with a certificate in PEM' };
  for (const certificate of certificates) {
    const fault = faultOf(certificate);
    if (fault !== undefined) return { expected: fault };
  }
  const pem = certificates.join('\n').replaceAll('\r', '');
  if (pem.length <= MAX_CA_CHARACTERS) return pem;
  return {
    expected: `expected certificates of at most ${MAX_CA_CHARACTERS} characters, found ${pem.length}: leave only the one that signed the sink's`,
  };
}

function faultOf(pem: string): string | undefined {
  try {
    const certificate = new X509Certificate(pem);
    // A server's own certificate is its own authority where it is self-signed.
    if (certificate.ca || certificate.checkIssued(certificate)) return undefined;
    const whose = certificate.subject.replaceAll('\n', ', ');
    return `expected the certificate of an authority; that of ${whose} is none`;
  } catch {
    return 'expected certificates in PEM; one cannot be read';
  }
}
