/** LangChain with `@langchain/openai`, unmodified, over a socket, in real time. */
import { langchainScenarios } from './testing/langchain.ts';
import { overSocket } from './testing/place.ts';

langchainScenarios(overSocket);
