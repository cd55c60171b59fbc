/** Keys come from the environment and go nowhere else; the embedded reference has well-known ones. */
import type { Credentials, TargetConfig } from '../../schemas/target.ts';

const VARIABLES = {
  accessKey: 'PROOFLOAD_ACCESS_KEY',
  jobKey: 'PROOFLOAD_JOB_KEY',
  brokeKey: 'PROOFLOAD_BROKE_KEY',
  otherKey: 'PROOFLOAD_OTHER_KEY',
} as const;

export const LOCAL_KEY = 'proofload-local';
export const LOCAL_BROKE_KEY = 'proofload-broke';
export const LOCAL_OTHER_KEY = 'proofload-other';

export function credentialsFrom(environment: NodeJS.ProcessEnv): Credentials {
  const value = (name: string): string | null => environment[name] || null;
  return {
    accessKey: value(VARIABLES.accessKey),
    jobKey: value(VARIABLES.jobKey),
    brokeKey: value(VARIABLES.brokeKey),
    otherKey: value(VARIABLES.otherKey),
  };
}

/** The same keys as environment variables; an absent key is an empty variable, so that no older value shows through. */
export function toEnvironment(credentials: Credentials): Record<string, string> {
  return {
    [VARIABLES.accessKey]: credentials.accessKey ?? '',
    [VARIABLES.jobKey]: credentials.jobKey ?? '',
    [VARIABLES.brokeKey]: credentials.brokeKey ?? '',
    [VARIABLES.otherKey]: credentials.otherKey ?? '',
  };
}

/** The keys that the embedded reference accepts, where none were given. */
export function withLocalDefaults(credentials: Credentials): Credentials {
  return {
    accessKey: credentials.accessKey ?? LOCAL_KEY,
    jobKey: credentials.jobKey,
    brokeKey: credentials.brokeKey ?? LOCAL_BROKE_KEY,
    otherKey: credentials.otherKey ?? LOCAL_OTHER_KEY,
  };
}

/** The job key comes first; the access key serves only where both interfaces have one origin. */
export function jobKeyOf({ accessKey, jobKey }: Credentials, { baseUrl, jobBaseUrl }: TargetConfig): string | null {
  const together = baseUrl !== null && jobBaseUrl !== null && new URL(baseUrl).origin === new URL(jobBaseUrl).origin;
  return jobKey ?? (together ? accessKey : null);
}

/**
 * The same key with another letter or digit in its middle, since the ends of some keys hold bits that mean nothing; null
 * where it has none.
 */
export function changed(key: string): string | null {
  const middle = Math.floor(key.length / 2);
  const at = [...key].findIndex((letter, index) => index >= middle && /[A-Za-z0-9]/.test(letter));
  if (at === -1) return null;
  const other = key[at] === 'x' ? 'y' : 'x';
  return `${key.slice(0, at)}${other}${key.slice(at + 1)}`;
}

/**
 * UUIDs, hexadecimal numbers and texts in an alphabet of 32 characters are the same in either case: in the other
 * case a key may be the very same one.
 */
const CASELESS = [
  /^[0-9a-f-]+$/i,
  /^(?:[a-z2-7]{16,}|[A-Z2-7]{16,})=*$/,
  /^(?:[0-9a-hjkmnp-tv-z]|[0-9A-HJKMNP-TV-Z]){26}$/,
];

/** null where there is none, or where it may be the same key. */
export function otherCase(key: string): string | null {
  if (CASELESS.some((pattern) => pattern.test(key))) return null;
  const swapped = key === key.toUpperCase() ? key.toLowerCase() : key.toUpperCase();
  return swapped === key ? null : swapped;
}

export const longer = (key: string): string => `${key}x`;
export const shorter = (key: string): string => key.slice(0, -1);

/** The header with it. */
export const bearer = (key: string | null): string | null => (key === null ? null : `Bearer ${key}`);
