import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';

/** What an `UpdateItem` takes beside table and key. */
export interface UpdateInput {
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, AttributeValue>;
}

/**
 * Builds the expressions of one `UpdateItem`. Every name goes through a placeholder, since `source`, `token`, `owner`
 * and others are words that DynamoDB keeps for itself.
 */
export class UpdateExpression {
  readonly #names = new Map<string, string>();
  readonly #values: unknown[] = [];
  readonly #sets: string[] = [];
  readonly #removes: string[] = [];
  readonly #conditions: string[] = [];

  /** The placeholder of an attribute's name. */
  name(attribute: string): string {
    const placeholder = `#${attribute}`;
    this.#names.set(placeholder, attribute);
    return placeholder;
  }

  /** The placeholder of a value. */
  value(value: unknown): string {
    this.#values.push(value);
    return `:v${this.#values.length - 1}`;
  }

  set(attribute: string, value: unknown): void {
    this.#sets.push(`${this.name(attribute)} = ${this.value(value)}`);
  }

  /** Set it only where the item has no such attribute yet. */
  setIfAbsent(attribute: string, value: unknown): void {
    const name = this.name(attribute);
    this.#sets.push(`${name} = if_not_exists(${name}, ${this.value(value)})`);
  }

  remove(attribute: string): void {
    this.#removes.push(this.name(attribute));
  }

  /** All conditions must hold. */
  where(condition: string): void {
    this.#conditions.push(`(${condition})`);
  }

  input(): UpdateInput {
    const update = [clause('SET', this.#sets), clause('REMOVE', this.#removes)].filter(Boolean).join(' ');
    const values = Object.fromEntries(this.#values.map((value, index) => [`:v${index}`, value]));
    return {
      ...(update === '' ? {} : { UpdateExpression: update }),
      ...(this.#conditions.length === 0 ? {} : { ConditionExpression: this.#conditions.join(' AND ') }),
      ExpressionAttributeNames: Object.fromEntries(this.#names),
      ...(this.#values.length === 0
        ? {}
        : { ExpressionAttributeValues: marshall(values, { removeUndefinedValues: true }) }),
    };
  }
}

function clause(keyword: string, parts: readonly string[]): string {
  return parts.length === 0 ? '' : `${keyword} ${parts.join(', ')}`;
}
