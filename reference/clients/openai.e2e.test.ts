/** The npm package `openai`, unmodified, over a socket, in real time. */
import { openaiRefusals } from './testing/openai-refusals.ts';
import { openaiTexts } from './testing/openai-texts.ts';
import { openaiTools } from './testing/openai-tools.ts';
import { overSocket } from './testing/place.ts';

openaiTexts(overSocket);
openaiTools(overSocket);
openaiRefusals(overSocket);
