/**
 * Made by measuring: `COSTS=write npx vitest run --project unit conformance/costs`. A word for each thing that several
 * checks share, and for each check: requests, bytes of bodies, clean-ups; behind the colon the shared things it uses.
 */
export const SHARED = `
1,0,0 1,121,0 1,372,0 1,151,0 1,191,0 1,121,0 1,161,0 1,156,0 1,126,0 1,91,0 9,1563,0 9,1293,0 4,860,0 1,0,0 1,136,0
1,106,0 1,0,0 1,136,0 1,106,0 1,61,0 2,61,0 409,14800,0 1,61,0 2,91,0 16,247,0 3,61,0 1,0,0 14,78,1 6,73,0 3,57,0
5,77,0 4,0,0 3,61,0 4,0,0 3,61,0 14,76,0 9,106,0 10,92,0 5,77,0 21,61,0 21,61,0 21,61,0 21,61,0 3,61,0 2,61,1 13,76,0
13,106,0 7,77,0 10,215,2 7,72,0 16,216,0 12,123,0 6,73,0 16,153,0 9,106,0 4,0,0 26,200,3 2,0,0 5,52,0 4,77,0 3,0,0
6,52,0 5,77,0 52,565,4 1,0,0 1,0,0 1,0,0 1,0,0 1,0,0 1,0,0 130,2484,2 83,1994,1 1,0,0 1,0,0 1,0,0 1,0,0 1,0,0
`;

export const CHECKS = `
models.route=0,0,0:0 models.list=0,0,0:0 models.identifiers=0,0,0:0 models.usable=0,0,0:0.1 models.capabilities=0,0,0:0
models.unique=0,0,0:0 models.stable=1,0,0:0 models.envelope=0,0,0:0 models.json=0,0,0:0 models.retrieve=1,0,0:0
models.retrieve.every=4,0,0:0 models.retrieve.unknown=2,0,0:0 models.retrieve.auth=2,0,0:0 chat.route=0,0,0:1
chat.completion=0,0,0:1 chat.envelope=0,0,0:1 chat.usage=0,0,0:1 chat.json=0,0,0:1 chat.ids=1,136,0:1
chat.conversation=1,221,0:1 chat.system-role=1,176,0:1 chat.content-parts=1,115,0:1 chat.options.max-tokens=1,136,0:1
chat.options.max-completion-tokens=2,283,0:1 chat.options.n=1,142,0:1 chat.options.temperature=1,152,0:1
chat.options.top-p=1,148,0:1 chat.options.stop=1,151,0:1 chat.options.stop-text=1,149,0:1
chat.options.penalties=1,183,0:1 chat.options.seed=1,145,0:1 chat.options.user=1,155,0:1
chat.options.stop-cuts=1,150,0:1 chat.unknown-field=1,163,0:1 chat.tools.taken=1,372,0:1 chat.tools.call=0,0,0:1.2
chat.tools.stream=1,386,0:1.2 chat.gap.format=3,485,0:1 chat.stream.framing=0,0,0:3 chat.stream.end=0,0,0:3
chat.stream.chunks=0,0,0:3 chat.stream.text=0,0,0:3 chat.stream.incremental=0,0,0:3 chat.stream.usage=0,0,0:3.4
chat.stream.error=1,164,0:3 completions.stream.framing=0,0,0:5 completions.stream.end=0,0,0:5
completions.stream.chunks=0,0,0:5 completions.stream.text=0,0,0:5 completions.stream.incremental=0,0,0:5
completions.stream.usage=0,0,0:5.6 completions.stream.error=1,134,0:5 chat.stream.role=0,0,0:3
chat.stream.model=0,0,0:3 chat.stream.after-finish=0,0,0:3 chat.stream.choices=0,0,0:3.7
chat.stream.usage-adds-up=0,0,0:3.4 completions.stream.model=0,0,0:5 completions.stream.after-finish=0,0,0:5
completions.stream.choices=0,0,0:5.8 completions.stream.usage-adds-up=0,0,0:5.6 chat.stream.first-event=3,427,0:3
completions.stream.first-event=3,337,0:5 chat.stream.left=5,766,0:3 completions.stream.left=5,616,0:5
chat.at-once=22,10956,0:1 chat.stream.at-once=9,1350,0:1 completions.at-once=22,10296,0:9
completions.stream.at-once=9,1080,0:9 chat.content.own=0,0,0:1.10 chat.content.at-once=12,2085,0:1.10
chat.content.streamed=1,187,0:10 completions.content.own=0,0,0:9.11 completions.content.at-once=12,1725,0:9.11
completions.content.streamed=1,157,0:11 chat.content.conversation=0,0,0:1.10.12 chat.content.history=0,0,0:1.10.12
completions.content.prompts=1,352,0:11 completions.route=0,0,0:9 completions.completion=0,0,0:9
completions.envelope=0,0,0:9 completions.json=0,0,0:9 completions.prompts=1,119,0:9 completions.max-tokens=1,106,0:9
completions.options.temperature=1,122,0:9 completions.options.top-p=1,118,0:9 completions.options.stop=1,121,0:9
completions.options.stop-text=1,119,0:9 completions.options.penalties=1,153,0:9 completions.options.seed=1,115,0:9
completions.options.user=1,125,0:9 completions.options.unknown=1,133,0:9 completions.options.stop-cuts=1,120,0:9
completions.usage=0,0,0:9 completions.ids=1,106,0:9 chat.own-model=0,0,0:1.0 chat.created=0,0,0:1
chat.one-choice=0,0,0:1 chat.usage.prompt=2,807,0:1 chat.length=2,272,0:1 completions.own-model=0,0,0:9.0
completions.created=0,0,0:9 completions.one-choice=0,0,0:9 completions.usage.prompt=2,747,0:9
completions.length=2,212,0:9 models.auth.missing=1,0,0:13 models.auth.wrong-key=1,0,0:13
models.auth.wrong-scheme=1,0,0:13 models.auth.bare-key=1,0,0:13 chat.auth.missing=1,136,0:14
chat.auth.wrong-key=1,136,0:14 chat.auth.wrong-scheme=1,136,0:14 chat.auth.bare-key=1,136,0:14
completions.auth.missing=1,106,0:15 completions.auth.wrong-key=1,106,0:15 completions.auth.wrong-scheme=1,106,0:15
completions.auth.bare-key=1,106,0:15 models.auth.status=2,0,0:13 chat.auth.status=2,272,0:14
completions.auth.status=2,212,0:15 models.auth.scheme-case=1,0,0:13 models.auth.envelope=1,0,0:13
chat.auth.scheme-case=1,136,0:14 chat.auth.envelope=1,136,0:14 completions.auth.scheme-case=1,106,0:15
completions.auth.envelope=1,106,0:15 models.auth.empty-header=1,0,0:16 models.auth.scheme-only=1,0,0:16
models.auth.changed-key=1,0,0:16 models.auth.longer-key=2,0,0:16 models.auth.shorter-key=1,0,0:16
models.auth.key-case=1,0,0:16 models.auth.other-scheme=2,0,0:16 chat.auth.empty-header=1,136,0:17
chat.auth.scheme-only=1,136,0:17 chat.auth.changed-key=1,136,0:17 chat.auth.longer-key=2,272,0:17
chat.auth.shorter-key=1,136,0:17 chat.auth.key-case=1,136,0:17 chat.auth.other-scheme=2,272,0:17
completions.auth.empty-header=1,106,0:18 completions.auth.scheme-only=1,106,0:18
completions.auth.changed-key=1,106,0:18 completions.auth.longer-key=2,212,0:18 completions.auth.shorter-key=1,106,0:18
completions.auth.key-case=1,106,0:18 completions.auth.other-scheme=2,212,0:18 models.auth.query=1,0,0:16
models.auth.unrepeated=6,484,0:16.17.18 models.auth.gap=4,10,0:16 chat.invalid.malformed-json=1,10,0:1
chat.invalid.empty-body=1,0,0:1 chat.invalid.list-body=1,2,0:1 completions.invalid.malformed-json=1,10,0:9
completions.invalid.empty-body=1,0,0:9 completions.invalid.list-body=1,2,0:9 chat.invalid.missing-model=1,97,0:1
chat.invalid.missing-messages=1,25,0:1 chat.invalid.empty-messages=1,39,0:1 chat.invalid.messages-text=1,44,0:1
chat.invalid.message-without-role=1,58,0:1 chat.invalid.max-tokens-text=1,141,0:1 chat.invalid.unknown-model=1,135,0:1
completions.invalid.missing-prompt=1,25,0:9 completions.invalid.unknown-model=1,105,0:9
chat.invalid.malformed-json.envelope=1,10,0:1 completions.invalid.malformed-json.envelope=1,10,0:9
chat.invalid.unknown-model.envelope=1,135,0:1 completions.invalid.unknown-model.envelope=1,105,0:9
chat.invalid.model-number=1,122,0:1 completions.invalid.model-number=1,92,0:9 chat.invalid.messages-object=1,59,0:1
chat.invalid.messages-null=1,56,0:1 chat.invalid.message-text=1,61,0:1 chat.invalid.content-number=1,81,0:1
chat.invalid.content-object=1,95,0:1 chat.invalid.role-number=1,82,0:1 completions.invalid.prompt-object=1,57,0:9
completions.invalid.prompt-flag=1,54,0:9 completions.invalid.max-tokens-text=1,111,0:9
chat.invalid.messages-object.envelope=1,59,0:1 chat.invalid.missing-messages.envelope=1,40,0:1
completions.invalid.missing-prompt.envelope=1,40,0:9 chat.odd.surrogate=1,143,0:1 chat.odd.control-characters=1,161,0:1
chat.odd.nulls=1,215,0:1 chat.odd.nesting=1,10151,0:1 chat.odd.twice=1,151,0:1 chat.odd.prototype=1,213,0:1
chat.odd.huge-number=1,156,0:1 chat.odd.wrong-options=1,172,0:1 chat.odd.scalar-body=1,1,0:1 chat.odd.null-body=1,4,0:1
chat.odd.byte-order-mark=1,139,0:1 chat.odd.unknown-role=1,141,0:1 chat.odd.tool-result=1,325,0:1
completions.odd.surrogate=1,113,0:9 completions.odd.control-characters=1,131,0:9 completions.odd.nulls=1,185,0:9
completions.odd.nesting=1,10121,0:9 completions.odd.twice=1,121,0:9 completions.odd.prototype=1,183,0:9
completions.odd.huge-number=1,126,0:9 completions.odd.wrong-options=1,142,0:9 completions.odd.scalar-body=1,1,0:9
completions.odd.null-body=1,4,0:9 completions.odd.byte-order-mark=1,109,0:9 completions.odd.empty-prompt=1,52,0:9
completions.odd.token-prompt=1,57,0:9 chat.border.temperature=6,921,0:1 chat.border.top-p=6,885,0:1
chat.border.penalties=12,1912,0:1 chat.border.stop=3,507,0:1 chat.border.n=3,426,0:1 chat.border.max-tokens=3,408,0:1
chat.border.logprobs=6,1018,0:1 completions.border.temperature=6,741,0:9 completions.border.top-p=6,705,0:9
completions.border.penalties=12,1552,0:9 completions.border.stop=3,417,0:9 completions.border.n=3,336,0:9
completions.border.max-tokens=3,319,0:9 completions.border.logprobs=6,715,0:9 completions.border.best-of=3,355,0:9
models.methods=4,0,0:0 chat.methods=4,0,0:0 completions.methods=5,0,0:0 chat.gap.content-type=3,408,0:1
completions.gap.content-type=3,318,0:9 chat.gap.answers=3,434,0:1.3.4 completions.gap.answers=3,344,0:9.5.6
models.gap.paths=6,0,0:0 models.gap.chat=3,412,0:0 completions.gap.options=5,590,0:9 chat.balance.refused=1,136,0:1
chat.balance.status=1,136,0:1 chat.balance.stream=1,150,0:3 chat.balance.envelope=1,136,0:1
completions.balance.refused=1,106,0:9 completions.balance.status=1,106,0:9 completions.balance.stream=1,120,0:5
completions.balance.envelope=1,106,0:9 models.balance.gap=1,0,0:0 run.route=0,0,0:19 run.job-id=0,0,0:19
run.asynchronous=2,77,1 run.completes=0,0,0:20 run.none-lost=0,0,0:20.21 run.outputs-crowd=0,0,0:22.21
run.ids-unique=20,1220,0 run.outputs-apart=6,183,0:22 run.output-exact=2,118,0:20.23 run.status-200=0,0,0:20
run.envelope=0,0,0:20 run.json=0,0,0:20 run.failure=2,91,0 run.same-job-everywhere=1,0,0:20 run.final-state=0,0,0:20
runsync.route=0,0,0:22 runsync.results=0,0,0:22 runsync.waits=1,77,0 runsync.results-apart=4,244,0:22
runsync.results-crowd=200,14800,0:22 runsync.status-200=0,0,0:22 runsync.envelope=0,0,0:22 runsync.json=0,0,0:22
runsync.job=2,61,0 runsync.available=2,61,0:22.19 runsync.ids-unique=1,61,0:22 runsync.failure=1,91,0:22
run.input.number=2,21,0:20.23 run.input.truth=2,23,0:20.23 run.input.list=2,60,0:20.23 run.input.numbers=2,96,0:20.23
run.input.nulls=2,56,0:20.23 run.input.empties=2,66,0:20.23 run.input.texts-like-others=2,120,0:20.23
run.input.unicode=2,113,0:20.23 run.input.control-characters=2,190,0:20.23 run.input.blanks=2,43,0:20.23
run.input.long-text=2,240030,0:20.23 run.input.deep=2,117,0:20.23 run.input.keys=2,94,0:20.23
run.input.prototype-keys=2,82,0:20.23 runsync.input.number=1,21,0:20.23 runsync.input.truth=1,23,0:20.23
runsync.input.list=1,60,0:20.23 runsync.input.numbers=1,96,0:20.23 runsync.input.nulls=1,56,0:20.23
runsync.input.empties=1,66,0:20.23 runsync.input.texts-like-others=1,120,0:20.23 runsync.input.unicode=1,113,0:20.23
runsync.input.control-characters=1,190,0:20.23 runsync.input.blanks=1,43,0:20.23
runsync.input.long-text=1,240030,0:20.23 runsync.input.deep=1,117,0:20.23 runsync.input.keys=1,94,0:20.23
runsync.input.prototype-keys=1,82,0:20.23 run.invalid.malformed-json=1,10,0:20 run.invalid.truncated=1,23,0:20
run.invalid.script=1,20,0:20 run.invalid.form=1,14,0:20 run.invalid.empty-body=1,0,0:20
run.invalid.missing-input=1,13,0:20 run.invalid.list-body=1,6,0:20 run.invalid.null-body=1,4,0:20
run.invalid.number-body=1,2,0:20 run.invalid.text-body=1,7,0:20 run.invalid.envelope=1,10,0:20
run.invalid.no-job=0,0,0:24 runsync.invalid.malformed-json=1,10,0:22 runsync.invalid.truncated=1,23,0:22
runsync.invalid.script=1,20,0:22 runsync.invalid.form=1,14,0:22 runsync.invalid.empty-body=1,0,0:22
runsync.invalid.missing-input=1,13,0:22 runsync.invalid.list-body=1,6,0:22 runsync.invalid.null-body=1,4,0:22
runsync.invalid.number-body=1,2,0:22 runsync.invalid.text-body=1,7,0:22 runsync.invalid.envelope=1,10,0:22
runsync.invalid.no-job=0,0,0:24 run.policy.times=1,113,0:20 run.policy.low-priority=1,91,1:20 run.id-plain=0,0,0:20
run.twice=2,122,0:20 runsync.policy.times=1,113,0:22 runsync.policy.low-priority=1,91,0:22 runsync.id-plain=0,0,0:22
runsync.twice=2,122,0:22 run.twice.outputs=4,122,0:22 runsync.job.status-sync=2,61,0:22 run.auth.missing=0,0,0:19.25
runsync.auth.missing=1,61,0:19.25.20.22 status.auth.missing=0,0,0:19.25 status-sync.auth.missing=2,0,0:19.25.20
stream.auth.missing=2,0,0:19.25.20 requests.auth.missing=1,0,0:19.25.20.26 run.auth.wrong-key=1,61,0:19.25.20
runsync.auth.wrong-key=1,61,0:19.25.20.22 status.auth.wrong-key=2,0,0:19.25.20
status-sync.auth.wrong-key=2,0,0:19.25.20 stream.auth.wrong-key=2,0,0:19.25.20 status.auth.near-key=2,0,0:19.25.20
purge-queue.auth.missing=1,0,0:19.25 cancel.auth.missing=0,0,0:19.25.27 cancel.auth.no-key.no-effect=0,0,0:19.25.27
cancel.auth.wrong-key.no-effect=0,0,0:19.25.27 run.auth.no-job=0,0,0:19.25.24 runsync.auth.no-job=0,0,0:19.25.24
run.auth.status=0,0,0:19.25 run.auth.wrong-key.status=1,61,0:19.25.20 run.auth.envelope=0,0,0:19.25
status.auth.forms=10,0,0:19.25.20 status.route.get=1,0,0:19 status.route.post=1,0,0:19 status.methods-agree=2,0,0:20
status.job-status=0,0,0:20 status.outputs=0,0,0:20 status.follows=2,77,1 status.running=3,78,1 status.stays=1,0,0:20
status.envelope=0,0,0:20 status.right-job=5,122,0:20 status.own-id=0,0,0:20 status.times=0,0,0:20
status.times.unit=12,154,0 status.json=0,0,0:20 status-sync.route.get=1,0,0:19 status-sync.route.post=1,0,0:19
status-sync.job-status=1,0,0:20 status-sync.waits=2,77,1 status-sync.prompt=1,0,0:20 status-sync.output=1,0,0:20
status-sync.envelope=1,0,0:20 stream.route.get=1,0,0:19 stream.route.post=1,0,0:19 stream.results=0,0,0:28
stream.results.post=6,73,0 stream.once=0,0,0:28 stream.final=0,0,0:28 stream.incremental=0,0,0:28
stream.envelope=0,0,0:28 stream.plain-job=1,0,0:20 cancel.route=0,0,0:29 cancel.result=0,0,0:29 cancel.running=4,77,0
cancel.queued=4,61,1 cancel.envelope=0,0,0:29 cancel.state=0,0,0:29 cancel.twice=0,0,0:30.31
cancel.finished=0,0,0:32.33 status.forward.quick=0,0,0:34 status.forward.slow=0,0,0:35 status.forward.failing=0,0,0:36
status.forward.streaming=0,0,0:37 status.forward.cancelled=0,0,0:38 status.output-at-end=0,0,0:34.35
status.gap.early-output=0,0,0:35 status.times.whole=0,0,0:34.35 status.times.possible=0,0,0:34.35
status.times.ran=0,0,0:35 runsync.times=2,76,0 status.gap.times-before-end=0,0,0:35.36.38
status-sync.same.completed=0,0,0:34.39 status-sync.same.failed=0,0,0:36.40 status-sync.same.cancelled=0,0,0:38.41
status-sync.same.streamed=0,0,0:37.42 status.stays.completed=0,0,0:34.39 status.stays.failed=0,0,0:36.40
status.stays.cancelled=0,0,0:38.41 status.stays.streamed=0,0,0:37.42 status-sync.state=0,0,0:34.39.36.40.38.41
status-sync.same.times=0,0,0:34.39.36.40 status.times.stay=0,0,0:34.39 runsync.same=3,61,0 runsync.same.failed=2,91,0
stream.same=3,0,0:34.36.38 requests.same=0,0,0:36.38.43.44 status-sync.wakes.completed=0,0,0:45
status-sync.wakes.failed=0,0,0:46 status-sync.wakes.cancelled=0,0,0:47 status-sync.prompt.failing=1,0,0:36
status-sync.prompt.cancelled=1,0,0:38 status-sync.waits.post=0,0,0:45 status-sync.wait=0,0,0:48 runsync.wait=0,0,0:48
runsync.goes-on=2,77,0:22 status.while-others-wait=0,0,0:48 runsync.found=0,0,0:48 stream.late=0,0,0:28.49
stream.apart=0,0,0:28.50 stream.failing=0,0,0:51 stream.failing.state=0,0,0:51 stream.cancelled=0,0,0:52
stream.cancelled.chunks=0,0,0:52 stream.stays=4,0,0:28.37 stream.items=0,0,0:49 stream.gap.two-readers=9,72,0
cancel.stays=0,0,0:38 cancel.sibling=0,0,0:53 cancel.at-once=0,0,0:53 cancel.prompt=0,0,0:53.32.33.54.55
cancel.finished.record=0,0,0:32.33 cancel.failed=0,0,0:54.55 cancel.again=0,0,0:30.31 cancel.empty-object=2,78,0
cancel.gap.ended=0,0,0:32.33.54.55.30.31 status.forward.queued=0,0,0:56 status.forward.cancelled-queued=0,0,0:56
cancel.queued.stays=0,0,0:56 run.workers-max=5,139,2 cancel.frees=0,0,0:56 cancel.health=0,0,0:56
status-sync.wakes.queued=0,0,0:56 status-sync.wakes.cancelled-queued=0,0,0:56 status.times.waited=0,0,0:56
stream.gap.queued=0,0,0:56 status.foreign-instance=0,0,0:20.57 status-sync.foreign-instance=0,0,0:20.57
stream.foreign-instance=0,0,0:28.20.58.49 cancel.foreign-instance=0,0,0:20.59 status.other-key=0,0,0:20.60
status-sync.other-key=0,0,0:20.60 stream.other-key=0,0,0:28.20.61.49 cancel.other-key=0,0,0:20.62
requests.other-key=2,0,0:36.38.43.44 run.other-key=2,61,0:20 purge-queue.route=0,0,0:63 purge-queue.result=0,0,0:63
purge-queue.clears-queued=0,0,0:63 purge-queue.keeps-running=0,0,0:63 purge-queue.accepts-after=0,0,0:63
purge-queue.envelope=0,0,0:63 purge-queue.count=0,0,0:63 purge-queue.empty=0,0,0:63 purge-queue.not-worked-off=0,0,0:63
purge-queue.running-completes=0,0,0:63.22 purge-queue.finished-stay=0,0,0:63 purge-queue.unlisted=0,0,0:63
purge-queue.health=0,0,0:63 purge-queue.other-endpoint=0,0,0:63 purge-queue.gap.response=0,0,0:63
purge-queue.gap.jobs=0,0,0:63 health.route=0,0,0:64 health.statistics=0,0,0:64 health.workers=0,0,0:64
health.envelope=0,0,0:64 health.json=0,0,0:64 health.counts-queued=3,61,1:64 health.counts-running=3,78,1:64
health.whole-counts=0,0,0:64 health.envelope.busy=0,0,0:63 health.agrees-with-status=0,0,0:63
health.counts-completed=0,0,0:63 health.counts-failed=0,0,0:63 health.workers-busy=0,0,0:63 health.burst=20,0,0:64
health.gap.response=0,0,0:64 requests.route=1,0,0:26 requests.list=1,0,0:26 requests.not-empty=0,0,0:63
requests.own=0,0,0:63 requests.envelope=0,0,0:63 requests.state=0,0,0:63 requests.json=0,0,0:63 requests.all=0,0,0:63
requests.queued=0,0,0:63 requests.agrees=0,0,0:63 requests.once=0,0,0:36.38.43.44
requests.other-endpoint=0,0,0:36.38.43.44 requests.gap.response=0,0,0:36.38.43.44
requests.gap.members=0,0,0:36.38.43.44 requests.gap.order=0,0,0:63 requests.gap.paging=0,0,0:36.38.43.44.65
models.method=1,2,0:0 chat.method=1,0,0:1 completions.method=1,0,0:9 run.method=1,0,0:20 runsync.method=1,0,0:22.20
status.method=2,0,0:20 status-sync.method=2,0,0:20 stream.method=2,0,0:20 cancel.method=2,0,0:20
purge-queue.method=1,0,0:63.20 health.method=1,2,0:64 requests.method=1,2,0:26 models.unknown-route=1,0,0:0
run.unknown-route=1,0,0:20 models.unversioned=1,0,0:0 health.unversioned=1,0,0:64 status.unknown-job.get=2,0,0:20
status.unknown-job.post=2,0,0:20 status-sync.unknown-job.get=2,0,0:20 status-sync.unknown-job.post=2,0,0:20
stream.unknown-job.get=2,0,0:20 stream.unknown-job.post=2,0,0:20 cancel.unknown-job.post=2,0,0:20
run.unknown-instance=1,61,0:20 runsync.unknown-instance=1,61,0:20 status.unknown-instance=1,0,0:20
status-sync.unknown-instance=1,0,0:20 stream.unknown-instance=1,0,0:20 cancel.unknown-instance=1,0,0:20
health.unknown-instance=1,0,0:20 requests.unknown-instance=1,0,0:20 run.auth=1,61,0:20 status.auth=1,0,0:20
health.auth=1,0,0:20 status.empty-body=1,0,0:20 status-sync.empty-body=1,0,0:20 stream.empty-body=1,0,0:20
cancel.empty-body=1,0,0:20 status.unknown-job.envelope=1,0,0:20 run.odd.bodies=8,1477,0:20 run.odd.types=5,305,0:20
run.odd.policy=11,1036,0:20 run.odd.fields=3,202,0:20 run.odd.inputs=10,138,0:20 run.odd.no-breakdown=9,130,0:20
run.odd.ids=3,183,0:20 runsync.odd.wait=8,488,0:22 health.odd.paths=9,0,0 run.method.others=5,244,0:20
runsync.method.others=5,244,0:20 status.method.others=4,0,0:20 status-sync.method.others=4,0,0:20
stream.method.others=4,0,0:20 health.method.others=5,0,0:20 run.method.get=1,0,0:20 runsync.method.get=1,0,0:22
cancel.method.get=0,0,0:27 health.method.head-options=4,0,0 health.odd-instances=12,0,0 run.odd-instances=8,488,0:20
health.near-instance=2,0,0 health.gap.instance-names=2,0,0 status.odd-id.empty=2,0,0:20.66
status.odd-id.space=2,0,0:20.66 status.odd-id.slashes=2,0,0:20.66 status.odd-id.dots=2,0,0:20.66
status.odd-id.long=2,0,0:20.66 status.odd-id.unicode=2,0,0:20.66 status.odd-id.quotes=2,0,0:20.66
status.odd-id.nul=2,0,0:20.66 status.odd-id.line-break=2,0,0:20.66 status.odd-id.percent=2,0,0:20.66
status.odd-id.star=2,0,0:20.66 status-sync.odd-ids=11,0,0:20.67 stream.odd-ids=11,0,0:20.68 cancel.odd-ids=4,0,0:20.69
status-sync.unknown-job.prompt=1,0,0:20.67 stream.unknown-job.prompt=1,0,0:20.68 status.near-id.longer=1,0,0:20.66
status.near-id.shorter=1,0,0:20.66 cancel.near-id.longer=0,0,0:27 cancel.near-id.shorter=0,0,0:27
models.gap.fields=0,0,0:0 chat.gap.fields=0,0,0:1 completions.gap.fields=0,0,0:9 chat.gap.roles=4,892,0:1
chat.gap.error-body=3,145,0:1 models.gap.error-headers=1,0,0:0 models.gap.deprecation=0,0,0:0 run.gap.response=0,0,0:20
runsync.gap.response=0,0,0:22 status-sync.gap.response=1,0,0:20 status.gap.record.slow=0,0,0:35
status.gap.record.failing=0,0,0:36 status.gap.record.cancelled=0,0,0:38 status.gap.record.queued=0,0,0:63
stream.gap.response=0,0,0:28 run.gap.errors=3,62,0:20 run.gap.queue-order=0,0,0:63 runsync.gap.longer=1,78,1:22
health.gap.deprecation=0,0,0:64 requests.unversioned=5,61,0:64 run.retention.guarantee=0,0,0:70
run.retention.from-end=0,0,0:70 run.retention.enforced=0,0,0:70 run.retention.read=0,0,0:70
runsync.retention.guarantee=0,0,0:71 runsync.retention.from-end=0,0,0:71 runsync.retention.enforced=0,0,0:71
runsync.retention.read=0,0,0:71 status-sync.retention.run=0,0,0:70 stream.retention.run=0,0,0:70
run.retention.output=0,0,0:70 status-sync.expired.run=0,0,0:70 stream.expired.run=0,0,0:70 cancel.expired.run=0,0,0:70
status-sync.retention.runsync=0,0,0:71 stream.retention.runsync=0,0,0:71 runsync.retention.output=0,0,0:71
status-sync.expired.runsync=0,0,0:71 stream.expired.runsync=0,0,0:71 cancel.expired.runsync=0,0,0:71
status.gap.availability=0,0,0:70 cancel.gap.availability=0,0,0:70 requests.gap.availability=0,0,0:70.72
run.answers.ids=2,82,0 status.answers.own-results=0,0,0:20 run.answers.kept=1,0,0:20 runsync.answers.kept=1,0,0:22
models.answers.documented=0,0,0:0 chat.answers.documented=0,0,0:1 completions.answers.documented=0,0,0:9
run.answers.documented=0,0,0:20 runsync.answers.documented=0,0,0:22 status.answers.documented=0,0,0:20.73
status-sync.answers.documented=0,0,0:20.74 cancel.answers.documented=0,0,0:20.75
purge-queue.answers.documented=0,0,0:63 health.answers.documented=0,0,0:64 requests.answers.documented=0,0,0:64.26
models.answers.fields=0,0,0:0 chat.answers.fields=0,0,0:1 completions.answers.fields=0,0,0:9
run.answers.fields=0,0,0:20 runsync.answers.fields=0,0,0:22 status.answers.fields=0,0,0:20.73
status-sync.answers.fields=0,0,0:20.74 stream.answers.fields=0,0,0:20.76 cancel.answers.fields=0,0,0:20.75
purge-queue.answers.fields=0,0,0:63 health.answers.fields=0,0,0:64 requests.answers.fields=0,0,0:64.26
models.answers.errors=1,0,0:0 chat.answers.errors=1,2,0:1 completions.answers.errors=1,2,0:9
run.answers.errors=1,2,0:20 runsync.answers.errors=1,2,0:22 status.answers.errors=1,0,0:20.73
status-sync.answers.errors=1,0,0:20.74 stream.answers.errors=1,0,0:20.76 cancel.answers.errors=1,0,0:20.75
health.answers.errors=1,0,0:64 requests.answers.errors=1,0,0:64.26 models.answers.served=0,0,0:0
chat.answers.served=0,0,0:1 completions.answers.served=0,0,0:9 run.answers.served=0,0,0:20
runsync.answers.served=0,0,0:22 status.answers.served=0,0,0:20.73 status-sync.answers.served=0,0,0:20.74
stream.answers.served=0,0,0:20.76 cancel.answers.served=0,0,0:20.75 purge-queue.answers.served=0,0,0:63
health.answers.served=0,0,0:64 requests.answers.served=0,0,0:64.26 chat.answers.events=0,0,0:1.3
completions.answers.events=0,0,0:9.5 run.answers.started=0,0,0:20
`;
