/** The AI SDK with `@ai-sdk/openai-compatible`, unmodified, through its fetch option: no socket, a virtual clock. */
import { aiSdkScenarios } from './testing/ai-sdk.ts';
import { throughFetch } from './testing/place.ts';

aiSdkScenarios(throughFetch);
