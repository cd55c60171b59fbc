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

/** One of each family that spec 1 names; the first is the one that everything is tried with. */
export const defaultModels: readonly ModelInfo[] = [
  {
    id: 'acme/base-70b',
    ownedBy: 'acme',
    name: 'Base 70B',
    description: 'General-purpose',
    contextLength: 131_072,
    created: 1_735_689_600,
  },
  {
    id: 'acme/coder-8b',
    ownedBy: 'acme',
    name: 'Coder 8B',
    description: 'Coding, reasoning and instruction-following',
    contextLength: 65_536,
    created: 1_738_368_000,
  },
  {
    id: 'acme/thinker-120b',
    ownedBy: 'acme',
    name: 'Thinker 120B',
    description: 'Advanced reasoning and analysis',
    contextLength: 262_144,
    created: 1_740_787_200,
  },
  {
    id: 'acme/swift-3b',
    ownedBy: 'acme',
    name: 'Swift 3B',
    description: 'Performance-optimised: short waits, many requests',
    contextLength: 32_768,
    created: 1_743_465_600,
  },
];

/** Request fields that change the answer; others are checked and then make no difference. A test tries each. */
export const supportedParameters = [
  'logprobs',
  'max_completion_tokens',
  'max_tokens',
  'n',
  'parallel_tool_calls',
  'response_format',
  'seed',
  'stop',
  'stream',
  'stream_options',
  'structured_outputs',
  'tool_choice',
  'tools',
  'top_logprobs',
] as const;

/** A model as GET /v1/models shows it. */
export function modelRecord(model: ModelInfo, maxCompletionTokens: number): Record<string, unknown> {
  const { id, created, name, description, contextLength } = model;
  return {
    id,
    object: 'model',
    created,
    owned_by: model.ownedBy,
    canonical_slug: id,
    name,
    description,
    context_length: contextLength,
    architecture: {
      modality: 'text->text',
      input_modalities: ['text'],
      output_modalities: ['text'],
      tokenizer: 'Other',
      instruct_type: null,
    },
    pricing: { prompt: '0.0000002', completion: '0.0000006', request: '0', image: '0' },
    top_provider: {
      context_length: contextLength,
      max_completion_tokens: Math.min(maxCompletionTokens, contextLength),
      is_moderated: false,
    },
    per_request_limits: null,
    supported_parameters: supportedParameters,
    default_parameters: {},
  };
}
