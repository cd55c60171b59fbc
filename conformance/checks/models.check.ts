/** models: the list, its identifiers, and what clients read of it. */
import { isDeepStrictEqual } from 'node:util';
import { at, show } from '../../schemas/json.ts';
import { operation } from '../../schemas/operations.ts';
import { NO_OPERATION } from '../../schemas/status.ts';
import type { CheckDefinition } from '../check.ts';
import type { CheckContext } from '../context.ts';
import { type Completing, complete, completed, completing, modelList, plain } from '../fixtures/completions.ts';
import { hasCapabilities, modelIdsOf, modelItemsOf, OWNER_AND_NAME } from '../reading/models.ts';
import { describe, isOk, type Reply } from '../target/reply.ts';

/** A catalogue may be long; these are enough to find one that is listed and not there. */
const MOST_READ = 20;

async function listedIds(t: CheckContext): Promise<string[]> {
  const ids = modelIdsOf((await modelList(t)).json);
  t.precondition('models are listed', 'at least one', 'none', ids.length > 0);
  return ids;
}

/** The answer to GET models/ID, which `models.retrieve` asserts and no other: many services don't have it. */
async function retrieved(t: CheckContext, id: string): Promise<Reply> {
  const reply = await t.inference.model(id);
  if (NO_OPERATION.includes(reply.status)) t.notObservable('GET models/ID');
  t.requireOk(reply);
  return reply;
}

/** Each is a completion that has its price. */
const MOST_ASKED = 3;
const UNKNOWN_MODEL = 'no-such-owner/no-such-model';
const SERVED = 'served';

/** A rejection by what distinguishes it for a client: its status and its code. */
const outcomeOf = (reply: Reply): string =>
  isOk(reply) ? SERVED : `${reply.status} ${show(at(reply.json, 'error', 'code'))}`;

/** Instances behind one address may each have a list of their own. */
const LISTS = 6;

export const checks: readonly CheckDefinition[] = [
  {
    id: 'models.route',
    title: 'GET models returns 2xx at its versioned path',
    clauses: ['models.route', 'inference.operations', 'versioning.inference'],
    async run(t) {
      const reply = await modelList(t);
      t.expectAnswered('models', reply);
    },
  },
  {
    id: 'models.list',
    title: 'models returns at least one model',
    clauses: ['models.list'],
    async run(t) {
      const reply = await modelList(t);
      t.requireOk(reply, 'assertion');
      const ids = modelIdsOf(reply.json);
      t.expect(
        'models are listed',
        'at least one model',
        ids.length > 0 ? show(ids) : show(reply.json),
        ids.length > 0,
      );
    },
  },
  {
    id: 'models.identifiers',
    title: 'Every listed model id has the form owner/name',
    clauses: ['models.identifier'],
    async run(t) {
      const ids = await listedIds(t);
      const others = ids.filter((id) => !OWNER_AND_NAME.test(id));
      t.expect('identifiers', 'OWNER/NAME', show(others.length > 0 ? others : ids), others.length === 0);
    },
  },
  {
    id: 'models.usable',
    title: 'chat and completions accept the id of a listed model',
    clauses: ['inference.model-field', 'inference.no-deployment'],
    async run(t) {
      const ids = await listedIds(t);
      const known = ids.includes(t.model);
      t.precondition('the model of this run is listed', t.model, show(ids), known, 'set --model to a listed name');
      t.expectAnswered('chat', await plain(t, 'chat'));
    },
  },
  {
    id: 'models.known',
    title: 'No listed model is refused by chat and completions as one that does not exist',
    clauses: ['models.list', 'inference.model-field'],
    level: 'convention',
    because: 'a listed model may be there for something else',
    async run(t) {
      const others = (await listedIds(t)).filter((id) => id !== t.model).slice(0, MOST_ASKED);
      if (others.length === 0) t.notObservable('a second listed model');
      await completed(t, 'chat');
      const outcome = async (id: Completing, model: string) => outcomeOf(await complete(t, id, { model }));
      const strange = await Promise.all(completing.map((id) => outcome(id, UNKNOWN_MODEL)));
      // With a mere 400, or while nothing is served, it is refused as any other request may be.
      const tells = strange.some((one) => one.startsWith('404') || /^4\d\d "/.test(one));
      t.precondition('an unknown model is refused as such', '404, or a code in words', strange.join(' and '), tells);
      const unknown: string[] = [];
      for (const model of others) {
        const outcomes = await Promise.all(completing.map((id) => outcome(id, model)));
        if (!outcomes.includes(SERVED) && isDeepStrictEqual(outcomes, strange)) unknown.push(model);
      }
      t.expect(`listed models refused as ${UNKNOWN_MODEL} is`, 'none', show(unknown), unknown.length === 0);
    },
  },
  {
    id: 'models.capabilities',
    title: 'models lists the capabilities of every model',
    clauses: ['models.capabilities'],
    async run(t) {
      await listedIds(t);
      const bare = modelItemsOf((await modelList(t)).json).filter((item) => !hasCapabilities(item));
      const observed = bare.length > 0 ? `${show(bare[0])} has only a name` : 'a descriptive field on every model';
      t.expect('capabilities', 'a field that describes the model', observed, bare.length === 0);
    },
  },
  {
    id: 'models.unique',
    title: 'models lists no model twice',
    clauses: ['models.list'],
    level: 'convention',
    because: 'repeated entries are not excluded by the documentation',
    async run(t) {
      const ids = await listedIds(t);
      t.expect('identifiers', 'each once', show(ids), new Set(ids).size === ids.length);
    },
  },
  {
    id: 'models.stable',
    title: 'models lists the same models on several requests',
    clauses: ['models.list'],
    level: 'convention',
    because: 'the list may change at any time',
    async run(t) {
      const lists = [[...(await listedIds(t))].sort()];
      while (lists.length < LISTS) lists.push(modelIdsOf((await t.inference.models()).json).sort());
      const changes = lists.filter((one, index) => index > 0 && !isDeepStrictEqual(one, lists[index - 1])).length;
      const sizes = lists.map((one) => one.length).join(', ');
      t.expect(
        `${LISTS} lists one after the other`,
        'the same models, or one change',
        changes === 0 ? 'the same models' : `${changes} changes, among lists of ${sizes} models`,
        changes <= 1,
      );
    },
  },
  {
    id: 'models.retrieve',
    title: 'GET models/ID returns a listed model',
    clauses: ['models.retrieve'],
    async run(t) {
      const [id = ''] = await listedIds(t);
      const reply = await t.inference.model(id);
      t.expectOk(reply);
      t.expect('its id', id, show(at(reply.json, 'id')), at(reply.json, 'id') === id);
    },
  },
  {
    id: 'models.retrieve.every',
    title: 'GET models/ID returns every listed model',
    clauses: ['models.retrieve', 'models.list'],
    level: 'convention',
    because: 'reading a single model is not documented',
    async run(t) {
      const [first = '', ...others] = await listedIds(t);
      await retrieved(t, first);
      const chosen = [...new Set(others)].slice(0, MOST_READ);
      const gone: string[] = [];
      for (const id of chosen) if (!isOk(await t.inference.model(id))) gone.push(id);
      t.expect('listed models that cannot be read', 'none', show(gone), gone.length === 0);
    },
  },
  {
    id: 'models.retrieve.unknown',
    title: 'GET models/ID rejects an unknown model',
    clauses: ['inference.unknown-model', 'models.retrieve'],
    async run(t) {
      const [id = ''] = await listedIds(t);
      await retrieved(t, id);
      t.expectStatus(await t.inference.model(UNKNOWN_MODEL), 404);
    },
  },
  {
    id: 'models.retrieve.auth',
    title: 'GET models/ID rejects a request without credentials',
    clauses: ['auth.bearer', 'models.retrieve'],
    level: 'convention',
    because: 'reading a single model is not documented; that every request carries the key is',
    async run(t) {
      const [id = ''] = await listedIds(t);
      const known = await retrieved(t, id);
      const path = `${operation('models').path}/${id.split('/').map(encodeURIComponent).join('/')}`;
      const reply = await t.inference.path('GET', path, { auth: 'none', breaks: 'the request has no credential' });
      const reported = isOk(reply) && at(reply.json, 'id') === at(known.json, 'id');
      t.expect(`${reply.request} without a key`, 'a refusal', describe(reply), !reported);
    },
  },
];
