/** The AI SDK with `@ai-sdk/openai-compatible`, unmodified, over a socket, in real time. */
import { aiSdkScenarios } from './testing/ai-sdk.ts';
import { overSocket } from './testing/place.ts';

aiSdkScenarios(overSocket);
