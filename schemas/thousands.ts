/** Numbers in sentences, with a comma after each thousand. */
const twoDecimals = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** Template tag: numbers get their thousands grouped, as in `1,000 requests`. */
export const grouped = (
  texts: TemplateStringsArray,
  ...values: readonly (string | number | null | undefined)[]
): string =>
  texts.reduce((all, text, index) => {
    const value = values[index - 1];
    return `${all}${typeof value === 'number' ? twoDecimals.format(value) : value}${text}`;
  });
