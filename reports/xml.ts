/** The little XML that JUnit needs: elements with attributes and text, escaped so that no text of a target can end one. */
import { visible, xmlEntities } from './text.ts';

const escapeText = (text: string): string => visible(text).replace(/[&<>"']/g, (char) => xmlEntities[char] ?? char);

/** Line breaks in an attribute would be read as blanks; as references they survive. */
const escapeAttribute = (text: string): string => escapeText(text).replace(/\n/g, '&#10;').replace(/\t/g, '&#9;');

export type XmlChild = XmlElement | string;

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children: readonly XmlChild[];
}

export function element(
  name: string,
  attributes: XmlElement['attributes'] = {},
  children: readonly XmlChild[] = [],
): XmlElement {
  return { name, attributes, children };
}

/** An element as text, indented by element; text content is kept to the character. */
export function toXml(node: XmlElement, indent = ''): string {
  const attributes = Object.entries(node.attributes)
    .map(([name, value]) => ` ${name}="${escapeAttribute(String(value))}"`)
    .join('');
  if (node.children.length === 0) return `${indent}<${node.name}${attributes}/>`;
  const open = `${indent}<${node.name}${attributes}>`;
  if (node.children.some((child) => typeof child === 'string')) {
    const inner = node.children.map((child) => (typeof child === 'string' ? escapeText(child) : toXml(child)));
    return `${open}${inner.join('')}</${node.name}>`;
  }
  const inner = node.children.map((child) => (typeof child === 'string' ? child : toXml(child, `${indent}  `)));
  return [open, ...inner, `${indent}</${node.name}>`].join('\n');
}
