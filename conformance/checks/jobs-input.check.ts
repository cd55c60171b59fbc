/** The handler gets exactly the JSON of a submission, and its output is returned unchanged. */
import type { CheckDefinition } from '../check.ts';
import { expectUnchanged, type Submission } from '../fixtures/echo.ts';

const by: readonly Submission[] = ['run', 'runsync'];

/** Far within the payload limits, and longer than any buffer of a usual size. */
const TIMES = 20_000;
const DEEP = 20;
const MANY = Array.from({ length: 3000 }, (_, index) => index);
const MANY_KEYS = 400;

const deep = (levels: number): unknown =>
  levels === 0 ? 'bottom' : levels % 2 === 0 ? { in: deep(levels - 1) } : [deep(levels - 1)];

/** Without NUL, which some databases can't keep in a text. */
const controls = String.fromCharCode(...Array.from({ length: 31 }, (_, index) => index + 1), 0x7f);

interface Case {
  readonly aspect: string;
  readonly what: string;
  readonly value: unknown;
  /** A service may reject it for its own safety; what it accepts, it must not change. */
  readonly mayRefuse?: boolean;
}

const cases: readonly Case[] = [
  { aspect: 'number', what: 'a number', value: 42 },
  { aspect: 'truth', what: 'true', value: true },
  // Some services take an output that their language counts as nothing for none.
  { aspect: 'false', what: 'false', value: false },
  { aspect: 'zero', what: 'zero', value: 0 },
  { aspect: 'empty-text', what: 'an empty string', value: '' },
  { aspect: 'empty-list', what: 'an empty list', value: [] },
  { aspect: 'list-of-one', what: 'a list of one', value: ['one'] },
  { aspect: 'list', what: 'a list with lists in it', value: [3, [1, [2]], [[], 0], 1, 'one', { two: 2 }, true] },
  {
    aspect: 'numbers',
    what: 'numbers of all sizes',
    value: [0, 1, -1, 0.1, -2.5, 1e-7, 1.5e300, 4_294_967_296, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
  },
  { aspect: 'nulls', what: 'null, alone and in a list', value: { nothing: null, list: [null, 1, null] } },
  {
    aspect: 'empties',
    what: 'zero, false and empty values',
    value: { a: 0, b: false, c: '', d: [], e: {}, f: [{}] },
  },
  {
    aspect: 'texts-like-others',
    what: 'strings that look like other types',
    value: [
      ...['007', '1e5', '-0', 'true', 'null', '2024-01-01T00:00:00Z', '2024-01-01', ' padded ', '{"a": 1}'],
      // More brackets than a body may be levels deep; in a text they are letters.
      ...['[{'.repeat(1000), '<b>&amp;</b>', '%41+', 'cHJvb2Zsb2FkIQ==', `{{name}} \${name} {% name %}`],
    ],
  },
  {
    aspect: 'unicode',
    what: 'strings in many scripts, composed and decomposed',
    value: [
      'żółć',
      'e\u0301 \u00e9',
      '漢字',
      'العربية',
      '👩\u200d👩\u200d👧 𝄞',
      '\u2028\u2029',
      '\ufeff',
      '\uffff',
      'a\u00a0b',
    ],
  },
  { aspect: 'control-characters', what: 'control characters', value: `a${controls}z` },
  {
    aspect: 'blanks',
    what: 'a string with spaces and line breaks around it',
    value: ' \n\t two  words \r\n ',
  },
  {
    aspect: 'long-text',
    // Letters of two, three and four bytes at odd places: a reader of pieces will cut some of them in two.
    what: 'a string of 100,000 characters in many scripts',
    value: `ab "ż\\${'漢é👩字'.repeat(TIMES)}`,
  },
  { aspect: 'deep', what: 'twenty levels of lists and objects', value: deep(DEEP) },
  {
    aspect: 'keys',
    what: 'keys of any kind',
    value: {
      ...{ 'a.b': 1, 'a-b': 2, 'a b': 3, A: 4, a: 5, $ref: 6, ключ: 7, '0': 8, 'a/b~1': 9 },
      // Those of a job and of its record, one level down; and a long one.
      ...{ inner: { id: 1, _id: 2, type: 3, status: 4, output: 5, error: 6 }, ['long-'.repeat(60)]: 7 },
    },
  },
  {
    aspect: 'many',
    what: 'lists of thousands, one in the other, and hundreds of keys',
    value: [
      ...MANY,
      MANY,
      Object.fromEntries(Array.from({ length: MANY_KEYS }, (_, index) => [`key-${index}`, index])),
    ],
  },
  {
    aspect: 'prototype-keys',
    what: 'keys that are built-in names somewhere, and an empty one',
    value: JSON.parse('{"__proto__": {"a": 1}, "constructor": "c", "toString": 1, "length": 3, "": 4}'),
    mayRefuse: true,
  },
];

export const checks: readonly CheckDefinition[] = by.flatMap((id) =>
  cases.map(
    ({ aspect, what, value, mayRefuse = false }): CheckDefinition => ({
      id: `${id}.input.${aspect}`,
      title: `${id} passes the input to the handler unchanged: ${what}`,
      clauses: ['jobs.input'],
      run: (t) => expectUnchanged(t, id, value, mayRefuse),
    }),
  ),
);
