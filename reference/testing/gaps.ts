/** For docs/reference.md: what the specification leaves open and no setting decides. */

/** Gaps that no setting fills, each with the reason. A gap that is in neither list fails a test. */
export const gapsWithoutSetting: Readonly<Record<string, string>> = {
  'gap.error-body': 'clients of each interface read one shape only; another one would be useless',
  'gap.inference-error-body': 'clients of each interface read one shape only; another one would be useless',
  'gap.message-roles': 'all roles of the convention are accepted; to refuse one would be useless',
  'gap.methods': 'a method that is not documented is refused; to serve one would be useless',
  'gap.run-response': 'it holds what clients read, and none of them reads more',
  'gap.status-response': 'it holds what clients read, and none of them reads more',
  'gap.cancel-response': 'it holds what clients read, and none of them reads more',
  'gap.purge-queue-response': 'it holds what clients read, and none of them reads more',
  'gap.requests-order': 'the newest come first, as everywhere where a list comes in pages',
  'gap.requests-members': 'all known jobs are listed, so that a lost one is found',
  'gap.limit-scope': 'an endpoint counts alone and interface A by address, which is how the limits are written',
  'gap.queue-counts-new': 'the new job is not counted, which is what a client sees that reads the length first',
  'gap.queue-order': 'first come, first served; a job of low priority waits for the others',
  'gap.cancel-availability': 'each ended job is kept for the documented time of its submission',
  'gap.requests-availability': 'a list holds the jobs that status knows, and no more',
  'gap.events': 'who is notified of what is a matter of an account, and the reference has none',
  'gap.webhooks': 'a field for an address is taken and not read: the reference sends no requests',
  'gap.status-payload': 'operations that submit nothing read any body to its end and ignore it',
  'gap.cancel-payload': 'operations that submit nothing read any body to its end and ignore it',
  'gap.purge-queue-payload': 'operations that submit nothing read any body to its end and ignore it',
  'gap.requests-payload': 'operations that submit nothing read any body to its end and ignore it',
  'gap.purge-queue-concurrency': 'its rate limit leaves no room for a limit of its own',
  'gap.version-policy': 'the reference is one version; how versions follow each other is no behaviour of a service',
  'gap.version-deprecation':
    'the reference is one version; how versions follow each other is no behaviour of a service',
  'gap.version-compatibility':
    'the reference is one version; how versions follow each other is no behaviour of a service',
};
