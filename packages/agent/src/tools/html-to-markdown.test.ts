import { describe, expect, it } from 'vitest';
import { htmlToMarkdown } from './html-to-markdown.ts';

const base = new URL('https://example.com/docs/page.html');

const pages: readonly (readonly [string, string, string])[] = [
  ['the title becomes a heading', '<title>A &amp; B</title><p>text', '# A & B\n\ntext'],
  ['a page with its own heading keeps that one', '<title>T</title><h1>Own</h1><p>text', '# Own\n\ntext'],
  ['white space collapses', '<p>one\n\n  two <b>three </b>four</p>', 'one two **three** four'],
  ['marks cling to their words', 'a <em>b</em> c<code>d</code>', 'a _b_ c`d`'],
  ['links become absolute', '<a href="../x">there</a> now', '[there](https://example.com/x) now'],
  [
    'links that only browsers follow lose their mark',
    '<a href="javascript:x()">go</a> <a href="#a">on</a>',
    'go on',
  ],
  ['scripts and styles are no text', 'a<script>if (1 < 2) alert("<p>")</script><style>p{}</style>b', 'ab'],
  ['lists nest', '<ul><li>a<ol start=3><li>b<li>c</ol><li>d</ul>', '- a\n  3. b\n  4. c\n- d'],
  ['preformatted text stays as it is', '<pre>  a\n    <b>b</b>\n\nc</pre>', '```\n  a\n    b\n\nc\n```'],
  ['quotes carry their mark', '<blockquote><p>a<p>b</blockquote>c', '> a\n>\n> b\n\nc'],
  [
    'tables become rows',
    '<table><tr><th>A<th>B<tr><td><p>1</p><td>2</table>',
    '| A | B |\n| --- | --- |\n| 1 | 2 |',
  ],
  ['images are named', 'see <img src=a.png alt="a plan">!', 'see [image: a plan] !'],
  ['line breaks stay', 'a<br>b<hr>c', 'a\nb\n\n---\n\nc'],
  ['broken markup still gives its text', '<div><p>a</b></i><td>b</div></span>c<', 'ab\n\nc<'],
  ['nothing gives nothing', '', ''],
];

describe('htmlToMarkdown', () => {
  it.each(pages)('%s', (_, html, markdown) => {
    expect(htmlToMarkdown(html, base)).toBe(markdown);
  });

  const bombs: readonly (readonly [string, string])[] = [
    ['200,000 nested elements', '<div>'.repeat(200_000)],
    ['100,000 nested quotes', '<blockquote>a'.repeat(100_000)],
    ['100,000 nested lists', '<ul><li>a'.repeat(100_000)],
    ['unclosed marks', '<b><i>a'.repeat(100_000)],
    ['a million ends without a beginning', `${'<b>'.repeat(999)}${'</x>'.repeat(1_000_000)}`],
    ['a million tags that never end', '<a'.repeat(500_000)],
    ['a megabyte of white space', `<p>a${' \n'.repeat(500_000)}b</p>`],
    ['preformatted white space', `<pre>a${' '.repeat(1_000_000)}b</pre>`],
  ];
  it.each(bombs)('gets through %s', (_, html) => {
    const markdown = htmlToMarkdown(html, base);
    expect(markdown.length).toBeLessThan(html.length * 10);
  });
});
