/** The npm package `runpod-sdk`, unmodified, over a socket, in real time. */
import { overSocket } from './testing/place.ts';
import { runpodScenarios } from './testing/runpod.ts';

runpodScenarios(overSocket);
