/** The npm package `runpod-sdk`, unmodified, behind the global fetch: no socket, a virtual clock. */
import { asGlobalFetch } from './testing/place.ts';
import { runpodScenarios } from './testing/runpod.ts';

runpodScenarios(asGlobalFetch);
