/** Faults in the list of models, and in which of them are taken (spec 2.2, 4.1). */
import { json } from '../reply.ts';
import { specRules } from '../rules.ts';
import { answers, instead } from './answers.ts';
import { all, isObject, type Mutant, rules } from './mutant.ts';

const NOT_FOUND = 404;
const RETIRED = { id: 'acme/base-7b', object: 'model', created: 0, owned_by: 'acme' };

const named = (models: readonly object[], change: (model: object) => object): object =>
  specRules.modelList(models.map(change));
const idOf = (model: object): string => ('id' in model ? String(model.id) : '');

export const modelMutants: readonly Mutant[] = [
  {
    name: 'models-gone',
    clauses: ['models.route', 'inference.operations', 'versioning.inference'],
    does: 'does not know the path of models',
    apply: instead('models', NOT_FOUND, { error: { message: 'Invalid URL', type: 'invalid_request_error' } }),
  },
  {
    name: 'models-without-data',
    clauses: ['models.envelope'],
    does: 'lists models under another name than data',
    apply: rules({ modelList: (models) => ({ object: 'list', models }) }),
  },
  {
    name: 'models-without-owner',
    clauses: ['models.identifier'],
    does: 'names one more model, without an owner',
    apply: (options) => ({
      ...options,
      models: [...options.models, ...options.models.slice(0, 1).map((one) => ({ ...one, id: 'base-70b' }))],
    }),
  },
  {
    name: 'models-retired',
    clauses: ['models.list', 'inference.model-field'],
    does: 'lists first a model that it no longer serves, and goes on to say what it was',
    apply: all(
      rules({ modelList: (models) => specRules.modelList([{ ...models[0], ...RETIRED }, ...models]) }),
      answers((reply, { id, parameters }) =>
        id === 'models' && reply.status === NOT_FOUND && parameters.model_id === RETIRED.id
          ? json(200, RETIRED)
          : reply,
      ),
    ),
  },
  {
    name: 'models-twice',
    clauses: ['models.list'],
    does: 'lists every model twice',
    apply: rules({ modelList: (models) => specRules.modelList([...models, ...models]) }),
  },
  {
    name: 'models-bare',
    clauses: ['models.capabilities'],
    does: 'says of models only what they are called',
    apply: rules({ modelList: (models) => named(models, (one) => ({ id: idOf(one), object: 'model', created: 0 })) }),
  },
  {
    name: 'models-one-bare',
    clauses: ['models.capabilities'],
    does: 'says of the last model only what it is called',
    apply: rules({
      modelList: (models) =>
        named(models, (one) => (one === models.at(-1) ? { id: idOf(one), object: 'model', created: 0 } : one)),
    }),
  },
  {
    name: 'model-not-readable',
    clauses: ['models.retrieve'],
    does: 'lists models that cannot be read one by one',
    apply: instead('models', NOT_FOUND, { error: { message: 'no' } }, ({ parameters }) => 'model_id' in parameters),
  },
  {
    name: 'model-any-readable',
    clauses: ['models.retrieve', 'inference.unknown-model'],
    does: 'knows a model of every name that is asked for',
    apply: answers((reply, { id, parameters }) =>
      id === 'models' && reply.status === NOT_FOUND ? json(200, { id: parameters.model_id, object: 'model' }) : reply,
    ),
  },
  {
    name: 'unknown-model-served',
    clauses: ['inference.unknown-model'],
    does: 'serves another model where the one asked for does not exist',
    apply: (options) => {
      const known = options.models.map((one) => one.id);
      const { understood } = options.rules;
      const served = (body: unknown): unknown =>
        isObject(body) && typeof body.model === 'string' && !known.includes(body.model)
          ? { ...body, model: known[0] }
          : body;
      return rules({ understood: (id, body) => served(understood(id, body)) })(options);
    },
  },
];
