/** What CloudFormation knows of a resource once it is made. */
export interface Made {
  /** What `Ref` gives. */
  readonly ref: string;
  /** What `Fn::GetAtt` gives. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** What references in one template come to. */
export interface References {
  /** `AWS::Region` and the like → value. */
  readonly pseudo: Readonly<Record<string, string>>;
  /** A resource of the template by its logical id: made, if it is not yet. */
  made(id: string): Promise<Made>;
}

/**
 * A template's value with CloudFormation's functions worked out, as deep as it goes: `Ref`, `Fn::GetAtt`, `Fn::Join`
 * and `Fn::Sub`.
 *
 * @throws Error for any other function: it belongs here as soon as a template uses it
 */
export async function resolve(value: unknown, references: References): Promise<unknown> {
  if (Array.isArray(value)) return await Promise.all(value.map((one) => resolve(one, references)));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  const [[name, argument] = ['', undefined]] = members;
  if (name === 'Ref') return await reference(String(argument), references);
  if (name.startsWith('Fn::')) return await intrinsic(name, argument, references);
  const resolved = members.map(async ([key, one]) => [key, await resolve(one, references)] as const);
  return Object.fromEntries(await Promise.all(resolved));
}

async function intrinsic(name: string, argument: unknown, references: References): Promise<string> {
  if (name === 'Fn::GetAtt') {
    const [id, attribute] = argument as [string, string];
    return await attributeOf(id, attribute, references);
  }
  if (name === 'Fn::Join') {
    const [separator, parts] = (await resolve(argument, references)) as [string, unknown[]];
    return parts.map(String).join(separator);
  }
  if (name === 'Fn::Sub' && typeof argument === 'string') return await substituted(argument, references);
  throw new Error(`${name} is not worked out here: ${JSON.stringify(argument)}`);
}

/** `${AWS::Region}`, `${Queue}`, `${Queue.Arn}`, and `${!literal}`. */
async function substituted(text: string, references: References): Promise<string> {
  const parts = text.split(/\$\{([^}]+)\}/).map(async (part, index) => {
    if (index % 2 === 0) return part;
    if (part.startsWith('!')) return `\${${part.slice(1)}}`;
    const [id = '', attribute] = part.split('.');
    return await (attribute === undefined
      ? reference(id, references)
      : attributeOf(id, attribute, references));
  });
  return (await Promise.all(parts)).join('');
}

async function reference(id: string, { pseudo, made }: References): Promise<string> {
  return pseudo[id] ?? (await made(id)).ref;
}

async function attributeOf(id: string, name: string, { made }: References): Promise<string> {
  const value = (await made(id)).attributes[name];
  if (value === undefined) throw new Error(`the attribute ${name} of ${id} is not known here`);
  return value;
}
