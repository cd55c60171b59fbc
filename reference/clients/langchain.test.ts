/** LangChain with `@langchain/openai`, unmodified, through its fetch option: no socket, a virtual clock. */
import { langchainScenarios } from './testing/langchain.ts';
import { throughFetch } from './testing/place.ts';

langchainScenarios(throughFetch);
