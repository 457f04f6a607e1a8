export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, object>;
}

export interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: { required?: boolean; content: Record<string, Media> };
  responses: Record<string, Answer | { $ref: string }>;
  'x-body-is-optional'?: true;
}

export type Parameter = {
  name: string;
  schema?: { type?: string };
  style?: string;
  explode?: boolean;
} & Pick<Media, 'example' | 'examples'>;

export interface Answer {
  description: string;
  headers?: Record<string, object>;
  content?: Record<string, Media>;
}

export interface Media {
  schema: object;
  example?: unknown;
  examples?: Record<string, { summary: string; value: unknown }>;
}

export const operationsOf = ({ paths }: ApiDocument): Operation[] =>
  Object.values(paths).flatMap(Object.values);
