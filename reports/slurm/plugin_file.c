/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "reports/slurm/plugin_file.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "common/cleanup.h"
#include "common/file.h"

#define PLUGIN_MAX (64u << 20)
#define NATIVE_CLASS (__ELF_NATIVE_CLASS == 64 ? ELFCLASS64 : ELFCLASS32)

/* The plugin's file in memory. A damaged file can have any offset, so each one is checked. */
struct image {
	const char *bytes;
	size_t size;
	ElfW(Ehdr) head;
};

static bool copy(const struct image *image, uint64_t offset, void *to, size_t size)
{
	if (offset > image->size || size > image->size - offset)
		return false;
	memcpy(to, image->bytes + offset, size);
	return true;
}

/* Returns false if the text at @offset does not end within the file, or does not fit into @size bytes. */
static bool copy_text(const struct image *image, uint64_t offset, char *to, size_t size)
{
	size_t length;

	if (offset >= image->size)
		return false;
	length = strnlen(image->bytes + offset, image->size - offset);
	return length < size && copy(image, offset, to, length + 1);
}

static bool read_segment(const struct image *image, unsigned int i, ElfW(Phdr) *segment)
{
	return copy(image, image->head.e_phoff + (uint64_t)i * sizeof(*segment), segment, sizeof(*segment));
}

/* Sets @offset to the place in the file of the data that the loader puts at @address. */
static bool find_address(const struct image *image, uint64_t address, uint64_t *offset)
{
	ElfW(Phdr) segment;

	for (unsigned int i = 0; i < image->head.e_phnum && read_segment(image, i, &segment); i++)
		if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz) {
			*offset = segment.p_offset + (address - segment.p_vaddr);
			return true;
		}
	return false;
}

/* The linker writes the section table last. A file that has it is not truncated. */
static bool has_sections(const struct image *image)
{
	uint64_t size = (uint64_t)image->head.e_shnum * sizeof(ElfW(Shdr));

	return image->head.e_shoff <= image->size && size <= image->size - image->head.e_shoff;
}

static bool is_whole(const struct image *image)
{
	ElfW(Phdr) segment;

	if (image->head.e_phentsize != sizeof(segment) || !has_sections(image))
		return false;
	for (unsigned int i = 0; i < image->head.e_phnum; i++)
		if (!read_segment(image, i, &segment) || (segment.p_type == PT_LOAD &&
		    (segment.p_offset > image->size || segment.p_filesz > image->size - segment.p_offset)))
			return false;
	return true;
}

static bool read_section(const struct image *image, unsigned int i, ElfW(Shdr) *section)
{
	return i < image->head.e_shnum &&
	       copy(image, image->head.e_shoff + (uint64_t)i * sizeof(*section), section, sizeof(*section));
}

/* Sets @offset to the place in the file of the value of the symbol @name. */
static bool find_symbol(const struct image *image, const char *name, uint64_t *offset)
{
	ElfW(Shdr) table, names;
	ElfW(Sym) symbol;
	char found[64];
	unsigned int i = 0;

	while (read_section(image, i, &table) && table.sh_type != SHT_DYNSYM)
		i++;
	if (!read_section(image, i, &table) || !read_section(image, table.sh_link, &names))
		return false;
	for (uint64_t at = 0; at + sizeof(symbol) <= table.sh_size; at += sizeof(symbol)) {
		if (!copy(image, table.sh_offset + at, &symbol, sizeof(symbol)))
			return false;
		if (symbol.st_shndx != SHN_UNDEF && symbol.st_name < names.sh_size &&
		    copy_text(image, names.sh_offset + symbol.st_name, found, sizeof(found)) && strcmp(found, name) == 0)
			return find_address(image, symbol.st_value, offset);
	}
	return false;
}

/* Also returns true if this program's own header cannot be read. */
static bool is_of_this_machine(const ElfW(Ehdr) *head)
{
	cleanup_close int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	ElfW(Ehdr) own;

	return fd < 0 || read(fd, &own, sizeof(own)) != sizeof(own) ||
	       (own.e_machine == head->e_machine && own.e_ident[EI_DATA] == head->e_ident[EI_DATA]);
}

static int check_head(struct image *image, const char *path, struct error *err)
{
	if (image->size < SELFMAG || memcmp(image->bytes, ELFMAG, SELFMAG) != 0)
		return error_set(err, "%s is not a shared object", path);
	if (!copy(image, 0, &image->head, sizeof(image->head)))
		return error_set(err, "%s is cut off", path);
	if (image->head.e_ident[EI_CLASS] != NATIVE_CLASS || !is_of_this_machine(&image->head))
		return error_set(err, "%s was built for another machine", path);
	if (image->head.e_type != ET_DYN)
		return error_set(err, "%s is not a shared object", path);
	if (!is_whole(image))
		return error_set(err, "%s is cut off", path);
	return 0;
}

static int read_symbols(const struct image *image, const char *path, struct plugin_file *plugin, struct error *err)
{
	uint64_t offset;

	if (!find_symbol(image, "plugin_type", &offset) || !copy_text(image, offset, plugin->type, sizeof(plugin->type)))
		return error_set(err, "%s is cut off, or not a plugin of Slurm: it has no plugin_type", path);
	if (!find_symbol(image, "plugin_name", &offset) || !copy_text(image, offset, plugin->name, sizeof(plugin->name)))
		return error_set(err, "%s is cut off, or not a plugin of Slurm: it has no plugin_name", path);
	if (!find_symbol(image, "plugin_version", &offset) || !copy(image, offset, &plugin->version, sizeof(plugin->version)))
		return error_set(err, "%s is cut off, or not a plugin of Slurm: it has no plugin_version", path);
	return 0;
}

int plugin_file_read(const char *path, struct plugin_file *plugin, struct error *err)
{
	struct image image = { .size = 0 };
	cleanup_free char *bytes = file_read(AT_FDCWD, path, PLUGIN_MAX, &image.size, err);

	memset(plugin, 0, sizeof(*plugin));
	if (!bytes)
		return -1;
	image.bytes = bytes;
	if (check_head(&image, path, err) < 0)
		return -1;
	return read_symbols(&image, path, plugin, err);
}
