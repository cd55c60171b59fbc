/** Faults in the list of models, and in which of them are taken (spec 2.2, 4.1). */
import { json } from '../reply.ts';
import { specRules } from '../rules.ts';
import { answers, instead } from './answers.ts';
import { all, type Mutant, rules, rulesWithMemory } from './mutant.ts';

const NOT_FOUND = 404;
const RETIRED = { id: 'acme/base-7b', object: 'model', created: 0, owned_by: 'acme' };

const named = (models: readonly object[], change: (model: object) => object): object =>
  specRules.modelList(models.map(change));
const idOf = (model: object): string => ('id' in model ? String(model.id) : '');

export const modelMutants: readonly Mutant[] = [
  {
    name: 'models-come-and-go',
    clauses: ['models.list'],
    does: 'lists one model more each time',
    apply: rulesWithMemory(() => {
      let lists = 0;
      return {
        modelList: (models) => {
          lists += 1;
          const more = Array.from({ length: lists }, (_, at) => ({ ...models[0], id: `acme/extra-${at}` }));
          return { object: 'list', data: [...models, ...more] };
        },
      };
    }),
  },
  {
    name: 'models-gone',
    clauses: ['models.route', 'inference.operations', 'versioning.inference'],
    does: 'does not know the path of models',
    apply: instead('models', NOT_FOUND, { error: { message: 'Invalid URL', type: 'invalid_request_error' } }),
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
    name: 'models-one-bare',
    clauses: ['models.capabilities'],
    does: 'says of the last model only what it is called',
    apply: rules({
      modelList: (models) =>
        named(models, (one) => (one === models.at(-1) ? { id: idOf(one), object: 'model', created: 0 } : one)),
    }),
  },
];
