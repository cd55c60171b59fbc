/**
 * Where a webhook may lead. Whoever may submit a job can make this service send a request, so the address is judged by
 * what a standard parser makes of it, never by its text, and it is the parser's own form that is used afterwards.
 */

export type WebhookReach = 'off' | 'loopback' | 'any';

/** Addresses to tell, without repetitions; or why the submission can't be taken. */
export type WebhookTargets = { readonly urls: readonly string[] } | { readonly problem: string };

/** As the parser writes it: it has turned every decimal, octal or shortened spelling into four numbers before. */
const LOOPBACK_V4 = /^127(\.\d{1,3}){3}$/;

/** By its name or number alone. No name is looked up; `localhost` is this machine by definition (RFC 6761). */
function isLoopback(hostname: string): boolean {
  return LOOPBACK_V4.test(hostname) || hostname === '[::1]' || hostname === 'localhost';
}

function judge(field: string, value: unknown, reach: WebhookReach): string | URL {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null;
  if (!url || !['http:', 'https:'].includes(url.protocol)) return `${field} is not an http or https URL`;
  if (url.username || url.password) return `${field} must not hold a user name or password`;
  if (reach === 'loopback' && !isLoopback(url.hostname)) {
    return `${field} must lead to this machine: 127.0.0.0/8, [::1] or localhost`;
  }
  return url;
}

/** Both of a submission's fields; null is as good as none. With `off` nobody looks at them. */
export function webhookTargets(submission: Readonly<Record<string, unknown>>, reach: WebhookReach): WebhookTargets {
  const urls = new Set<string>();
  if (reach === 'off') return { urls: [] };
  for (const field of ['webhook', 'webhookV2']) {
    const value = submission[field];
    if (value === undefined || value === null) continue;
    const judged = judge(field, value, reach);
    if (typeof judged === 'string') return { problem: judged };
    urls.add(judged.href);
  }
  return { urls: [...urls] };
}
