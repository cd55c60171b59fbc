/** The npm package `openai`, unmodified, through its fetch option: no socket, a virtual clock. */
import { openaiRefusals } from './testing/openai-refusals.ts';
import { openaiTexts } from './testing/openai-texts.ts';
import { openaiTools } from './testing/openai-tools.ts';
import { throughFetch } from './testing/place.ts';

openaiTexts(throughFetch);
openaiTools(throughFetch);
openaiRefusals(throughFetch);
