/** A word of a closed set in the form in which it is compared: lower case, without separators and schema.org's address. */
export function compactWord(text: string): string {
  return text.trim().toLowerCase().replace(SCHEMA_ORG, '').replace(SEPARATORS, '');
}

const SCHEMA_ORG = /^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/;
const SEPARATORS = /[\s_-]+/g;
