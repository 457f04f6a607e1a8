import type { Examples } from '../platform/http/reference/add-examples.ts';

export const pingExamples: Examples = { ping: [{ answer: { status: 'ok' } }] };
