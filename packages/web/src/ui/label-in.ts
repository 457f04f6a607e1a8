/** Returns the label of a form's field by the field's name; null if there is none. A choice's label doesn't name its group. */
export function labelIn(form: Element, name: string): string | null {
  const fields = [...form.querySelectorAll<HTMLInputElement>('[name]')].filter(
    (each) => each.name === name || each.name.endsWith(`.${name}`),
  );
  const [field] = fields;
  if (fields.length > 1 || field?.type === 'radio') return null;
  const label = field?.labels?.[0]?.textContent ?? field?.getAttribute('aria-label') ?? '';
  return label.replace(/\s*\*$/, '').trim() || null;
}
