/** The models on offer (spec 2.2). Capabilities use the field names that most clients of this convention read. */

export interface ModelInfo {
  /** `OWNER/NAME`. */
  readonly id: string;
  readonly ownedBy: string;
  readonly name: string;
  readonly description: string;
  /** Tokens of prompt and completion together. */
  readonly contextLength: number;
  /** Seconds since the epoch. */
  readonly created: number;
}

export const defaultModels: readonly ModelInfo[] = [
  {
    id: 'acme/base-70b',
    ownedBy: 'acme',
    name: 'Base 70B',
    description: 'General-purpose and instruction-following',
    contextLength: 131_072,
    created: 1_735_689_600,
  },
  {
    id: 'acme/coder-8b',
    ownedBy: 'acme',
    name: 'Coder 8B',
    description: 'Coding and reasoning, quick',
    contextLength: 65_536,
    created: 1_738_368_000,
  },
];

const SUPPORTED_PARAMETERS = [
  'logprobs',
  'max_tokens',
  'response_format',
  'seed',
  'stop',
  'stream',
  'tool_choice',
  'tools',
];

/** A model as GET /v1/models shows it. */
export function modelRecord(model: ModelInfo, maxCompletionTokens: number): Record<string, unknown> {
  return {
    id: model.id,
    object: 'model',
    created: model.created,
    owned_by: model.ownedBy,
    name: model.name,
    description: model.description,
    context_length: model.contextLength,
    architecture: { modality: 'text->text', input_modalities: ['text'], output_modalities: ['text'] },
    pricing: { prompt: '0.0000002', completion: '0.0000006' },
    top_provider: { context_length: model.contextLength, max_completion_tokens: maxCompletionTokens },
    supported_parameters: SUPPORTED_PARAMETERS,
  };
}
